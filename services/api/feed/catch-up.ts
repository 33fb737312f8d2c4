// Brings a subscriber from its cursor to the tail: from the log if its cursor is before the messages in this instance's
// memory, then from memory. In the turn in which nothing is left, the subscriber joins the live feed. Every message on
// the way carries the cursor of this subscriber's own progress.

import { neededOf } from "./cursor.ts";
import { type FollowedTopic, yieldToSockets } from "./follow-topic.ts";
import { createSubscriberProgress, type Joining, type ProgressDeps, type SubscriberProgress } from "./progress.ts";
import { checkWithinLog, type ReadLogDeps, readLog } from "./read-log.ts";
import type { Recent, RecentMessage } from "./recent.ts";

export interface CatchUpDeps extends ProgressDeps, ReadLogDeps {}

const SLICE = 256;

/**
 * Resolves when the subscriber is attached or over. A subscriber at the tail is attached within the same turn. Rejects
 * with BAD_USER_INPUT for a cursor that the log cannot serve.
 */
export async function catchUp(joining: Joining, deps: CatchUpDeps): Promise<void> {
  const { followed, subscriber, attach, place } = joining;
  const { recent } = followed;
  const needed = neededOf(place);
  if (isAhead(needed, followed)) await checkWithinLog(followed, needed, deps);
  const progress = createSubscriberProgress(joining, deps);
  while (!subscriber.over) {
    if (!recent.covers(progress.next)) {
      await readLog(joining, progress, deps);
      continue;
    }
    await readMemory(joining, progress);
    if (subscriber.over || !recent.covers(progress.next)) continue;
    // There must be no await between this check and attaching.
    if (recent.end === progress.seen && progress.needed().every((offset, i) => offset <= (followed.next[i] ?? 0))) {
      attach();
      return;
    }
    if (recent.end === progress.seen) await Promise.race([followed.progress(), followed.failed]);
  }
}

/**
 * The cursor may be ahead of this instance, because another instance has read further, but it is never ahead of the
 * log.
 */
const isAhead = (next: readonly number[], { next: reached, ends }: FollowedTopic): boolean =>
  next.some((offset, partition) => offset > Math.max(reached[partition] ?? -1, ends[partition] ?? -1));

async function readMemory(
  { followed: { recent, reader }, subscriber }: Joining,
  progress: SubscriberProgress,
): Promise<void> {
  progress.seen = Math.max(progress.seen, recent.first);
  for (let read = 1; progress.seen < recent.end && !subscriber.over; read++) {
    const entry = recent.at(progress.seen);
    // Memory dropped the entry while this subscriber was slow: the log still has it.
    if (entry === undefined) return;
    const prepared = progress.prepare(reader, entry, () => someOf(recent, progress.seen));
    if (prepared !== undefined) await prepared;
    progress.seen += 1;
    const taken = progress.take(entry);
    if (taken !== undefined) await taken;
    if (read % SLICE === 0) await yieldToSockets();
  }
}

function someOf(recent: Recent, from: number): RecentMessage[] {
  const entries: RecentMessage[] = [];
  for (let number = from; number < from + SLICE; number++) {
    const entry = recent.at(number);
    if (entry === undefined) break;
    entries.push(entry);
  }
  return entries;
}
