// Decides which ends of tracks a round writes, by the clock of the partition's log.
import { dueExpiries, forgetIdle, hasSilent } from "../../projections/live/partition.ts";
import type { TrackExpired } from "../../schemas/events.ts";
import type { FoldDeps } from "./fold-round.ts";
import type { Owned } from "./owned.ts";

const CHECK_MS = 200;
/** How often to ask for the end of a silent log, so that its resting tracks are forgotten. */
const FORGET_CHECK_MS = 60_000;

/** At most `most`, so that a round stays small. */
export function expire(mine: Owned, { caughtUp, settings, elapsed }: FoldDeps, most: number): TrackExpired[] {
  // Up to the tail found at takeover the log may already hold the ends that an earlier owner wrote.
  if (mine.next < mine.tail) return [];
  const { state, partition, next: readUpTo } = mine;
  const caughtUpAt = caughtUp.at(partition, readUpTo);
  if (caughtUpAt !== undefined) {
    mine.caughtUpAt = caughtUpAt;
    return dueExpiries(state, { nowMs: caughtUpAt, caughtUp: true, readUpTo }, settings, most);
  }
  const elapsedMs = elapsed();
  if (elapsedMs - mine.expiryCheckedAt < CHECK_MS) return [];
  mine.expiryCheckedAt = elapsedMs;
  const known = { nowMs: mine.caughtUpAt ?? 0, caughtUp: mine.caughtUpAt !== undefined };
  forgetIdle(state, known, settings);
  // Without a clock nothing was ever recorded that could end.
  const nowMs = mine.clock.now() ?? 0;
  const isOld = nowMs - known.nowMs > FORGET_CHECK_MS;
  if (isOld || hasSilent(state, nowMs, settings)) caughtUp.want(partition);
  return dueExpiries(state, { nowMs, caughtUp: false, readUpTo }, settings, most);
}
