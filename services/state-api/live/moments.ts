// Live state at past moments.
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import { createGeofences } from "../../../projections/live/partition.ts";
import { type FoldConfig, foldSettings } from "../../common/fold-config.ts";
import { createBoundedRuns, endingFetcher, orEnd, type RunCaller } from "../../recorded/bounded-runs.ts";
import { type LiveAtDeps, type TrackAt, trackAt, type ZoneAt, zoneAt } from "../../recorded/live-at.ts";
import { measurePastQuery } from "../../recorded/metrics.ts";
import type { Recorded } from "../../recorded/recorded.ts";

export interface Moments {
  /** @returns undefined when there was no such track at `at`, in ms of the log's clock. */
  track(trackId: string, at: number, caller: RunCaller): Promise<TrackAt | undefined>;
  zone(zoneId: string, at: number, caller: RunCaller): Promise<ZoneAt | undefined>;
}

export interface MomentsOptions {
  readonly recorded: Pick<Recorded, "moments">;
  readonly zones: Pick<ZonesView, "lastKnown">;
  readonly fold: FoldConfig;
  /** Requests that run or wait. */
  readonly most: number;
  readonly limitMs: number;
}

/** While one waits for a store, the other one can fold. */
const RUNNING = 2;
/** Ended tracks that a fold remembers: less than the state machine, because several folds must fit into memory. */
const REMEMBERED_TRACKS = 10_000;

const tooLong = "so much of the log must be folded for this time that it takes longer than STATE_API_PAST_QUERY_MS";

export function createMoments({ recorded, zones, fold, most, limitMs }: MomentsOptions): Moments {
  const known = foldSettings(fold);
  const rememberedTracks = Math.min(known.rememberedTracks, REMEMBERED_TRACKS);
  const settings = { ...known, rememberedTracks, geofences: createGeofences(), listener: undefined };
  const lastSourceOf = (zoneId: string) => zones.lastKnown(zoneId)?.dataSourceId;
  const runs = createBoundedRuns({ most, running: RUNNING, limitMs, tooLong });

  const run = <T>(caller: RunCaller, work: (deps: LiveAtDeps) => Promise<T>): Promise<T> =>
    runs(caller, async ({ ending, pace }) => {
      const deps = await recorded.moments(ending.signal);
      const { history, fetcher } = deps;
      const query: typeof history.query = (params) => orEnd(history.query(params), ending);
      const throttle = async () => await pace();
      const reading = { ...deps, throttle, history: { query }, fetcher: endingFetcher(fetcher, ending) };
      return work({ ...reading, settings, pace, lastSourceOf });
    });

  return {
    track: (trackId, at, caller) =>
      measurePastQuery("track", () => run(caller, (deps) => trackAt(trackId, at, deps)), sourceOf),
    zone: (zoneId, at, caller) =>
      measurePastQuery("zone", () => run(caller, (deps) => zoneAt(zoneId, at, deps)), sourceOf),
  };
}

const sourceOf = (found: TrackAt | ZoneAt | undefined) => found?.log ?? "none";
