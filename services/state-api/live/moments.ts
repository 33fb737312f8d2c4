// Live state at past moments: bounded in number, in time, and in the time for which a fold holds the event loop.
import { createGeofences } from "../../../projections/live/partition.ts";
import { tooManyRequests, unavailable } from "../../../schemas/errors.ts";
import { FairShare } from "../../common/fairness/fair-share.ts";
import { type FoldConfig, foldSettings } from "../../common/fold-config.ts";
import { createLoopTurns, type LoopTurns } from "../../common/loop-turns.ts";
import { verdictOf } from "../../common/store-away.ts";
import { createTurns } from "../../common/turns.ts";
import { SessionFailed } from "../../recorded/failed.ts";
import { type LiveAtDeps, type TrackAt, tooHeavy, trackAt, type ZoneAt, zoneAt } from "../../recorded/live-at.ts";
import type { Recorded } from "../../recorded/recorded.ts";

export interface MomentCaller {
  readonly tokenId: string;
  /** Aborts when the caller has gone. */
  readonly gone: AbortSignal;
}

export interface Moments {
  /** @returns undefined when there was no such track at `at`, in ms of the log's clock. */
  track(trackId: string, at: number, caller: MomentCaller): Promise<TrackAt | undefined>;
  zone(zoneId: string, at: number, caller: MomentCaller): Promise<ZoneAt | undefined>;
}

export interface MomentsOptions {
  readonly recorded: Pick<Recorded, "moments">;
  readonly fold: FoldConfig;
  /** Requests that run or wait. */
  readonly most: number;
  readonly limitMs: number;
}

/** Each fold takes a processor for as long as it runs, and the process has only one. */
const RUNNING = 2;
/** Time for which a fold holds the event loop, ms. */
const SLICE_MS = 10;
/** Ended tracks that a fold remembers: less than the state machine, because several folds must fit into memory. */
const REMEMBERED_TRACKS = 10_000;

export function createMoments({ recorded, fold, most, limitMs }: MomentsOptions): Moments {
  const known = foldSettings(fold);
  const rememberedTracks = Math.min(known.rememberedTracks, REMEMBERED_TRACKS);
  const settings = { ...known, rememberedTracks, geofences: createGeofences(), listener: undefined };
  const inProgress = new FairShare(most);
  const turns = createTurns(RUNNING);
  const loopTurns = createLoopTurns();

  async function run<T>({ tokenId, gone }: MomentCaller, work: (deps: LiveAtDeps) => Promise<T>): Promise<T> {
    if (!inProgress.mayTake(tokenId)) throw tooManyRequests("too many requests for past moments are in progress");
    inProgress.take(tokenId);
    const ending = new AbortController();
    const leave = () => ending.abort(unavailable("the caller has gone"));
    if (gone.aborted) leave();
    gone.addEventListener("abort", leave, { once: true });
    const timer = setTimeout(() => ending.abort(tooHeavy(TOO_LONG)), limitMs);
    try {
      return await turns.run(async () => {
        ending.signal.throwIfAborted();
        const deps = endingWithStores(await recorded.moments(ending.signal), ending);
        return await work({ ...deps, settings, pace: createLoopPace(loopTurns, ending.signal) });
      });
    } catch (error) {
      // Work that the signal interrupts fails in many ways.
      if (ending.signal.aborted) throw ending.signal.reason;
      // The log loses its oldest messages at any time; then the history has them.
      if (error instanceof SessionFailed) throw unavailable(error.message);
      throw error;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener("abort", leave);
      inProgress.giveBack(tokenId);
    }
  }

  return {
    track: (trackId, at, caller) => run(caller, (deps) => trackAt(trackId, at, deps)),
    zone: (zoneId, at, caller) => run(caller, (deps) => zoneAt(zoneId, at, deps)),
  };
}

const TOO_LONG = "so much of the log must be folded for this time that it takes longer than STATE_API_PAST_QUERY_MS";

/** A session waits for a store that is away; a caller gets an error instead. */
function endingWithStores<Deps extends Pick<LiveAtDeps, "history" | "fetcher">>(deps: Deps, ending: AbortController) {
  async function orEnd<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (verdictOf(error) !== "mistake") ending.abort(error);
      throw error;
    }
  }
  const { history, fetcher } = deps;
  const query: typeof history.query = (params) => orEnd(history.query(params));
  return {
    ...deps,
    history: { query },
    fetcher: { fetch: (...asked: Parameters<typeof fetcher.fetch>) => orEnd(fetcher.fetch(...asked)) },
  };
}

function createLoopPace(turns: LoopTurns, signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  async function rest(): Promise<void> {
    await turns.next();
    signal.throwIfAborted();
    since = performance.now();
  }
  return () => (performance.now() - since < SLICE_MS ? undefined : rest());
}
