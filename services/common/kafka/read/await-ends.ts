import type { Kafka } from "kafkajs";
import { messageOf } from "../../../../schemas/errors.ts";
import type { Log } from "../../log.ts";
import { loop } from "../../loop.ts";
import { NoLeader } from "../offsets.ts";
import type { PartitionId } from "./inboxes.ts";
import { createPartitionEnds, type EndOffsets } from "./partition-ends.ts";

export interface AwaitEndsOptions {
  readonly kafka: Kafka;
  readonly topics: readonly string[];
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface PartitionEnd extends PartitionId {
  /** Offset that the next message for readers will get. */
  readonly end: number;
}

const ASK_AGAIN_MS = 1_000;

/**
 * Resolves when the leader of each partition has reported its end: a partition that is left out would count as empty.
 *
 * @returns undefined when the signal aborts first.
 */
export async function awaitEnds({ kafka, topics, log, signal }: AwaitEndsOptions) {
  const ends = createPartitionEnds(kafka, "readers");
  const askAll = async () => {
    try {
      return (await Promise.all(topics.map(async (topic) => allOf(topic, await ends.ask(topic))))).flat();
    } catch (error) {
      log.warn({ err: messageOf(error), topics }, "the ends of the topics are not known yet");
      return undefined;
    }
  };
  try {
    return await loop(askAll, { pauseMs: ASK_AGAIN_MS, signal });
  } finally {
    await ends.close();
  }
}

function allOf(topic: string, ends: EndOffsets): PartitionEnd[] {
  const without = [...ends].filter(([, end]) => end === undefined).map(([partition]) => partition);
  if (without.length > 0) throw new NoLeader(topic, without);
  return [...ends].map(([partition, end = 0]) => ({ topic, partition, end }));
}
