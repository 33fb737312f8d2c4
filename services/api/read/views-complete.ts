// Brings this instance's views to where their topics end: another instance may have written what a mutation refers to.
import { unavailable } from "../../../schemas/errors.ts";
import type { Ends } from "../../common/kafka/partition-ends.ts";
import { growing, untilSo } from "../../common/loop.ts";
import { shareCalls } from "../../common/share-calls.ts";
import { within } from "../feed/find-positions.ts";
import type { ViewedTopic } from "./follow-views.ts";

export interface ViewsCompleteDeps {
  /** Asks the broker. */
  readonly ends: (topic: ViewedTopic) => Promise<Ends>;
  /** Next offset of this instance's view of a topic. */
  readonly viewed: (topic: ViewedTopic) => number;
}

const TOPICS = ["catalog", "zones"] as const;
/** For the broker to answer, and then for the views. API_POSITION_WAIT_MS bounds reads; a write that cannot know is refused. */
const WITHIN_MS = 5_000;
const RETRY_AFTER_MS = 1_000;
const PAUSES = { pauseMs: growing(5, 100) };

/** Resolves when the views have all that was in their topics at the call; rejects with UNAVAILABLE. Callers at the same time share it. */
export function createViewsComplete({ ends, viewed }: ViewsCompleteDeps): () => Promise<void> {
  async function endOf(topic: ViewedTopic) {
    // These topics have one partition.
    const end = (await within(ends(topic), WITHIN_MS)).get(0);
    if (end === undefined) throw new Error(`no leader answers for ${topic}`);
    return { topic, end };
  }

  return shareCalls(async () => {
    const wanted = await Promise.all(TOPICS.map(endOf)).catch((error: unknown) => {
      throw unavailable("the log does not answer", RETRY_AFTER_MS, error);
    });
    const areViewed = async () => wanted.every(({ topic, end }) => viewed(topic) >= end);
    if (await untilSo(areViewed, { ...PAUSES, withinMs: WITHIN_MS })) return;
    throw unavailable("what others wrote is not known here yet", RETRY_AFTER_MS);
  });
}
