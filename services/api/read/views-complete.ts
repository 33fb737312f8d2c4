// Brings this instance's views to the ends of their topics: another instance may have written an object that a mutation
// refers to.
import { RETRY_AFTER_MS, unavailable } from "../../../schemas/errors.ts";
import type { EndOffsets } from "../../common/kafka/read/partition-ends.ts";
import { growing, untilSo } from "../../common/loop.ts";
import { shareCalls } from "../../common/share-calls.ts";
import { withTimeout } from "../../common/with-timeout.ts";
import type { ViewedTopic } from "./follow-views.ts";

export interface ViewsCompleteDeps {
  /** Fetches the ends from the broker. */
  readonly ends: (topic: ViewedTopic) => Promise<EndOffsets>;
  /** Returns the next offset of this instance's view of a topic. */
  readonly viewed: (topic: ViewedTopic) => number;
}

const TOPICS = ["catalog", "zones"] as const;
/**
 * Milliseconds for the broker to answer, and as many for the views. API_POSITION_WAIT_MS applies to reads only. A write
 * is refused when its references cannot be checked in time.
 */
const WITHIN_MS = 5_000;
const PAUSES = { pauseMs: growing(5, 100) };

/**
 * Resolves when the views have everything that was in their topics at the call. Rejects with UNAVAILABLE when that
 * takes too long. Simultaneous callers share it.
 */
export function createViewsComplete({ ends, viewed }: ViewsCompleteDeps): () => Promise<void> {
  async function endOf(topic: ViewedTopic) {
    // These topics have one partition.
    const end = (await withTimeout(ends(topic), WITHIN_MS)).get(0);
    if (end === undefined) throw new Error(`no leader answers for ${topic}`);
    return { topic, end };
  }

  return shareCalls(async () => {
    const wanted = await Promise.all(TOPICS.map(endOf)).catch((error: unknown) => {
      throw unavailable("the log does not answer", RETRY_AFTER_MS, error);
    });
    const areViewed = async () => wanted.every(({ topic, end }) => viewed(topic) >= end);
    if (await untilSo(areViewed, { ...PAUSES, withinMs: WITHIN_MS })) return;
    throw unavailable("what others wrote is not known here yet");
  });
}
