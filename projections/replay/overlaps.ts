// Joins the ranges of a partition's log that overlap. Each range begins up to an hour before its own tracks, with the
// tracks that were present then. Without the join, the messages of tracks that follow one another would be read once
// for each of them.
import { joinAsked } from "./asked.ts";
import type { Segment } from "./session.ts";

/** A segment whose offsets are not known yet. */
export type Stretched = Omit<Segment, "partition" | "begin" | "end">;

/**
 * The stretches in order of their beginning. Those of the log and those of the history stay apart, because they are
 * read from different stores.
 */
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
  asked: joinAsked(a.asked, b.asked),
  dataSourceIds: [...new Set([...a.dataSourceIds, ...b.dataSourceIds])],
  log: a.log,
  beginAt: Math.min(a.beginAt, b.beginAt),
  lastAt: Math.max(a.lastAt, b.lastAt),
  recorded: [...a.recorded, ...b.recorded].sort((one, other) => one.from - other.from),
  eventFrom: Math.min(a.eventFrom, b.eventFrom),
  eventTo: Math.max(a.eventTo, b.eventTo),
});
