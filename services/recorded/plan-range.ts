// The segments in which the detections of an event time were recorded. None of their tracks is listed: there may be
// millions.

import { type SourceExtent, seenHours, windowExtents } from "../../projections/history/queries/replay-stretches.ts";
import { earliestBeside } from "../../projections/history/queries/replays.ts";
import type { Stretched } from "../../projections/replay/overlaps.ts";
import type { RangeSelection } from "../../projections/replay/selection.ts";
import type { Segment } from "../../projections/replay/session.ts";
import { isoTime } from "../../schemas/identity.ts";
import { SessionFailed } from "./failed.ts";
import { awaitHistory, filledRanges, type PlanDeps } from "./plan-deps.ts";
import { atTheSameTime, segmentsByTime } from "./segments-by-time.ts";

export async function planRange(range: RangeSelection, deps: PlanDeps): Promise<Segment[]> {
  // Without the newest detections, the session would end before them.
  await awaitHistory(await filledRanges(deps), deps);
  const extents = await windowExtents(deps.history, range);
  if (extents.length === 0) throw new SessionFailed(await nothingThere(range, deps));
  return segmentsByTime(extents, deps, (found, firstAt) =>
    Promise.all(atTheSameTime(found, deps.trackTtlMs).map((together) => stretchOf(together, { range, firstAt, deps }))),
  );
}

async function nothingThere({ dataSourceIds, from, to }: RangeSelection, { history }: PlanDeps): Promise<string> {
  const nothing = `no detections of these data sources are known from ${isoTime(from)} to ${isoTime(to)}`;
  const seen = await seenHours(history, dataSourceIds);
  if (seen === undefined) return `${nothing}, nor at any other time`;
  return `${nothing}; there are some between ${isoTime(seen.from)} and ${isoTime(seen.to)}`;
}

interface Asking {
  readonly range: RangeSelection;
  readonly firstAt: number;
  readonly deps: PlanDeps;
}

async function stretchOf(extents: readonly SourceExtent[], { range, firstAt, deps }: Asking): Promise<Stretched> {
  const at = Math.min(...extents.map(({ recordedFrom }) => recordedFrom));
  const lastAt = Math.max(...extents.map(({ recordedTo }) => recordedTo));
  const dataSourceIds = extents.map(({ dataSourceId }) => dataSourceId);
  const near = { since: at - deps.warmUpMs, at, until: at + deps.trackTtlMs };
  const beside = await earliestBeside(deps.history, { dataSourceIds, ...near });
  return {
    asked: { kind: "window", from: range.from, to: range.to },
    dataSourceIds,
    log: firstAt <= at ? "topic" : "history",
    beginAt: Math.min(at, beside),
    lastAt,
    recorded: [{ from: at, to: lastAt }],
    eventFrom: Math.min(...extents.map(({ eventFrom }) => eventFrom)),
    eventTo: Math.max(...extents.map(({ eventTo }) => eventTo)),
  };
}
