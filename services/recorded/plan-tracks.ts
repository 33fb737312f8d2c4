// The segments in which tracks were recorded.
import { earliestBeside, type TrackExtent, trackExtents } from "../../projections/history/queries/replays.ts";
import type { Stretched } from "../../projections/replay/overlaps.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { OffsetRange } from "../common/kafka/offsets.ts";
import { loop } from "../common/loop.ts";
import { SessionFailed } from "./failed.ts";
import { askAgainMs, BEHIND_MS, filledRanges, isMissingSome, type PlanDeps } from "./plan-deps.ts";
import { atTheSameTime, segmentsByTime } from "./segments-by-time.ts";

const NAMED_IDS = 5;

export async function planTracks(trackIds: readonly string[], deps: PlanDeps): Promise<Segment[]> {
  const extents = await knownExtents(trackIds, deps);
  return segmentsByTime(extents, deps, (found, firstAt) =>
    Promise.all(atTheSameTime(found, deps.trackTtlMs).map((together) => stretchOf(together, firstAt, deps))),
  );
}

/**
 * The log may have detections that the history does not have yet: a track is unknown only when all of them are
 * projected.
 */
async function knownExtents(trackIds: readonly string[], deps: PlanDeps): Promise<TrackExtent[]> {
  const { history, signal } = deps;
  let unknown: readonly string[] = trackIds;
  let filled: readonly OffsetRange[] | undefined;
  const ask = async () => {
    // Must run before the query, whose answer then includes everything that is projected up to there.
    const isBehind = filled === undefined || (await isMissingSome(filled, deps));
    const extents = await trackExtents(history, trackIds);
    const known = new Set(extents.map(({ trackId }) => trackId));
    unknown = trackIds.filter((id) => !known.has(id));
    if (unknown.length === 0) return extents;
    if (!isBehind) throw new SessionFailed(noDetections(unknown));
    filled ??= await filledRanges(deps);
    return undefined;
  };
  const extents = await loop(ask, { pauseMs: askAgainMs, withinMs: BEHIND_MS, signal });
  if (extents === undefined) throw new SessionFailed(`${noDetections(unknown)}; the history is behind the log`);
  return extents;
}

const noDetections = (ids: readonly string[]): string =>
  `no detections are known of ${ids.length} of the tracks: ${ids.slice(0, NAMED_IDS).join(", ")}`;

async function stretchOf(extents: readonly TrackExtent[], firstAt: number, deps: PlanDeps): Promise<Stretched> {
  const from = Math.min(...extents.map(({ recordedFrom }) => recordedFrom));
  const to = Math.max(...extents.map(({ recordedTo }) => recordedTo));
  const dataSourceIds = [...new Set(extents.map(({ dataSourceId }) => dataSourceId))];
  const since = from - deps.warmUpMs;
  const beside = await earliestBeside(deps.history, { dataSourceIds, since, at: from, until: to + deps.trackTtlMs });
  return {
    asked: { kind: "tracks", tracks: extents.map(({ dataSourceId, trackId }) => ({ dataSourceId, trackId })) },
    dataSourceIds,
    log: firstAt <= from ? "topic" : "history",
    beginAt: Math.min(from, beside),
    lastAt: to,
    recorded: [{ from, to }],
    eventFrom: Math.min(...extents.map(({ eventFrom }) => eventFrom)),
    eventTo: Math.max(...extents.map(({ eventTo }) => eventTo)),
  };
}
