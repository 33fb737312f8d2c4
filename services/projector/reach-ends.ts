// Finds the ends of the log at one moment, and waits until everything before them is stored: a rebuild is complete
// then.
import type { Admin } from "kafkajs";
import { offsetRanges } from "../common/kafka/offsets.ts";
import type { ProjectedStretch } from "./project-batch.ts";

/** Resolves with the current end offsets by `topic/partition`. Empty partitions are left out. */
export async function endsNow(admin: Admin, topics: readonly string[]): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  for (const topic of topics) {
    for (const { partition, low, high } of await offsetRanges(admin, topic)) {
      if (high > low) ends.set(`${topic}/${partition}`, high);
    }
  }
  return ends;
}

/** `done` resolves when the stored offsets have reached the ends that `wait` was given. */
export function untilReached() {
  const done = Promise.withResolvers<void>();
  const positions = new Map<string, number>();
  let ends: ReadonlyMap<string, number> | undefined;

  const isDone = (): boolean => {
    if (ends === undefined) return false;
    for (const [key, end] of ends) if ((positions.get(key) ?? 0) < end) return false;
    return true;
  };
  const settle = () => {
    if (isDone()) done.resolve();
  };
  return {
    done: done.promise,
    isDone,
    wait(until: ReadonlyMap<string, number>): void {
      ends = until;
      settle();
    },
    stored(covered: readonly ProjectedStretch[]): void {
      for (const { topic, partition, next } of covered) positions.set(`${topic}/${partition}`, next);
      settle();
    },
  };
}
