// Lets a reader wait until it has everything that a topic has now.
import type { Kafka } from "kafkajs";
import { unavailable } from "../../../../schemas/errors.ts";
import { shareCalls } from "../../share-calls.ts";
import { createPartitionEnds } from "./partition-ends.ts";

export interface CatchUp {
  /** Must be called when the reader has taken in all messages before `next`. */
  passed(partition: number, next: number): void;
  /**
   * Resolves when the reader has everything that was acknowledged before the call; rejects with UNAVAILABLE after
   * `withinMs`.
   */
  wait(withinMs: number): Promise<void>;
  close(): Promise<void>;
}

export function createCatchUp(kafka: Kafka, topic: string): CatchUp {
  const nexts = new Map<number, number>();
  const ends = createPartitionEnds(kafka, "writers");
  const askEnds = shareCalls(() => ends.ask(topic));
  let moved = Promise.withResolvers<void>();

  async function untilReached(isOver: () => boolean): Promise<void> {
    const found = await askEnds();
    const isBehind = ([partition, end]: [number, number | undefined]) =>
      end === undefined || (nexts.get(partition) ?? 0) < end;
    while ([...found].some(isBehind) && !isOver()) await moved.promise;
  }

  return {
    passed(partition, next) {
      nexts.set(partition, next);
      moved.resolve();
      moved = Promise.withResolvers();
    },
    async wait(withinMs) {
      const { promise: tooLate, reject } = Promise.withResolvers<never>();
      let over = false;
      const timer = setTimeout(() => {
        over = true;
        reject(unavailable("the log does not answer"));
      }, withinMs);
      try {
        await Promise.race([untilReached(() => over), tooLate]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: ends.close,
  };
}
