// Joins the stretches of a partition that overlap: each begins with the tracks that were there already, up to an hour before
// its own, so tracks that came one after the other would have the same messages read once for each of them.
import type { Segment } from "./session.ts";

/** A segment before its offsets are known. */
export type Stretched = Omit<Segment, "partition" | "begin" | "end">;

/** By the time of their beginning. Tracks of the log and those of the history are read from different stores. */
export function withoutOverlaps(stretches: readonly Stretched[], ttlMs: number): Stretched[] {
  const joined: Stretched[] = [];
  for (const next of stretches.toSorted((a, b) => a.beginAt - b.beginAt)) {
    const at = joined.findLastIndex(({ log }) => log === next.log);
    const last = joined[at];
    if (last !== undefined && next.beginAt <= last.lastAt + ttlMs) joined[at] = join(last, next);
    else joined.push(next);
  }
  return joined;
}

const join = (a: Stretched, b: Stretched): Stretched => ({
  trackIds: [...new Set([...a.trackIds, ...b.trackIds])],
  dataSourceIds: [...new Set([...a.dataSourceIds, ...b.dataSourceIds])],
  log: a.log,
  beginAt: Math.min(a.beginAt, b.beginAt),
  lastAt: Math.max(a.lastAt, b.lastAt),
  recorded: [...a.recorded, ...b.recorded].sort((one, other) => one.from - other.from),
  eventFrom: Math.min(a.eventFrom, b.eventFrom),
  eventTo: Math.max(a.eventTo, b.eventTo),
});
