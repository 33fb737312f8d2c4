// Runs trials of zones: reads the detections of a range piece by piece, and folds one piece while ClickHouse prepares
// the next.

import type { QueryClient } from "../../../projections/history/queries/run.ts";
import {
  detectionBuckets,
  type TrialPiece,
  type TrialRange,
  type TrialTrack,
  tracksAmong,
  tracksNear,
} from "../../../projections/history/queries/trial.ts";
import { trialHeaders } from "../../../projections/history/queries/trial-headers.ts";
import { addTracks } from "../../../projections/trial/add-tracks.ts";
import { createStayCollection, type PageOfStays, type TrialTotals } from "../../../projections/trial/collect.ts";
import { piecesOf } from "../../../projections/trial/pieces.ts";
import { createZoneTrial, type TrialStay, type ZoneTrial } from "../../../projections/trial/zone-trial.ts";
import { badInput, unavailable } from "../../../schemas/errors.ts";
import type { Zone } from "../../../schemas/events.ts";
import { createSlots } from "../../common/fairness/slots.ts";
import { createLoopTurns } from "../../common/loop-turns.ts";

export interface TrialLimits {
  /** The maximum number of detections in the range. */
  readonly maxDetections: number;
  /** The maximum number of detections near the zone. */
  readonly maxCandidates: number;
}

export interface TrialsOptions extends TrialLimits {
  /** Detections of a piece, which are read at a time. */
  readonly pieceDetections: number;
  readonly trackTtlMs: number;
  readonly reorderMs: number;
  readonly now: () => number;
}

export interface TrialRequest extends PageOfStays {
  readonly range: TrialRange;
  /** A zone of the range's data source. */
  readonly zone: Zone;
  readonly isWanted: (stay: TrialStay) => boolean;
}

export interface TrialAnswer {
  readonly page: readonly TrialStay[];
  readonly totals: TrialTotals;
}

/** The caller for whom a trial runs, and the client for its queries. */
export interface TrialCaller {
  readonly tokenId: string;
  readonly client: QueryClient;
}

export interface Trials {
  /**
   * Throws BAD_USER_INPUT for a trial that exceeds a limit. A trial ends when its client's queries are cancelled.
   */
  run(caller: TrialCaller, request: TrialRequest): Promise<TrialAnswer>;
}

/** Trials that run at a time in this process. Each takes tens of megabytes, and a core for a part of its time. */
const RUNNING = 2;
/** Milliseconds for which a trial may hold the event loop. */
const SLICE_MS = 5;

export function createTrials(options: TrialsOptions): Trials {
  const turns = createLoopTurns();
  // The number of waiting trials is bounded by that of the token's queries in progress.
  const slots = createSlots({
    max: RUNNING,
    maxWaiting: () => Number.POSITIVE_INFINITY,
    refusal: () => unavailable("too many trials wait"),
  });

  async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
    for (let endsAt = performance.now() + SLICE_MS; ; ) {
      const step = steps.next();
      if (step.done) return step.value;
      if (performance.now() < endsAt) continue;
      await turns.next();
      endsAt = performance.now() + SLICE_MS;
    }
  }

  return {
    run: ({ tokenId, client }, request) =>
      slots.run(tokenId, () => runTrial(client, request, { ...options, inSlices })),
  };
}

interface Running extends TrialsOptions {
  readonly inSlices: <T>(steps: Generator<void, T>) => Promise<T>;
}

async function runTrial(client: QueryClient, request: TrialRequest, running: Running): Promise<TrialAnswer> {
  const { range, zone, isWanted } = request;
  const { trackTtlMs, reorderMs, inSlices } = running;
  const collection = createStayCollection(request);
  const take = (stays: readonly TrialStay[]) => {
    for (const stay of stays) if (isWanted(stay)) collection.add(stay);
  };
  const trial = createZoneTrial({ zone, trackTtlMs, reorderMs, to: range.to });
  for await (const { piece, tracks } of tracksByPiece(client, request, trial, running)) {
    await addHeaders(client, range.dataSourceId, tracks, trial);
    await inSlices(addTracks(trial, tracks, reorderMs));
    take(await inSlices(trial.endPiece(piece.to)));
  }
  take(await inSlices(trial.end(Math.min(range.to, running.now()))));
  return { page: collection.page(), totals: collection.totals() };
}

interface ReadPiece {
  readonly piece: TrialPiece;
  readonly tracks: readonly TrialTrack[];
}

/** Reads the next piece while the caller works on one. */
async function* tracksByPiece(
  client: QueryClient,
  { range, zone }: TrialRequest,
  trial: ZoneTrial,
  { trackTtlMs: longestGapMs, pieceDetections, maxDetections, maxCandidates }: Running,
): AsyncGenerator<ReadPiece, void> {
  const near = { box: trial.box, anchor: zone.anchor };
  const pieces = await piecesOf(range, pieceDetections, countUpTo(client, maxDetections));
  const read = (piece: TrialPiece) => {
    const found = tracksNear(client, { piece, zone: near, longestGapMs });
    // The error is thrown where the piece is awaited. Until then it must not end the process.
    found.catch(() => {});
    return found;
  };
  let candidates = 0;
  let next = pieces[0] && read(pieces[0]);
  for (const [i, piece] of pieces.entries()) {
    const found = (await next) ?? [];
    const following = pieces[i + 1];
    candidates += found.reduce((sum, track) => sum + track.near, 0);
    if (candidates > maxCandidates) throw tooManyCandidates(maxCandidates);
    next = following && read(following);
    const known = new Set(found.map(({ trackId }) => trackId));
    const others = trial.goingOn(piece.from).filter((trackId) => !known.has(trackId));
    const goingOn = others.length === 0 ? [] : await tracksAmong(client, { piece, zone: near, longestGapMs }, others);
    yield { piece, tracks: [...found, ...goingOn] };
  }
}

/** Throws BAD_USER_INPUT when a range has more detections. */
const countUpTo = (client: QueryClient, most: number) => async (range: TrialRange, widthMs: number) => {
  const buckets = await detectionBuckets(client, range, { widthMs, most: most + 1 });
  const detections = buckets.reduce((sum, bucket) => sum + bucket.detections, 0);
  if (detections <= most) return buckets;
  const limit = `the data source has more than ${most} detections in the range (API_TRIAL_DETECTIONS)`;
  throw badInput(`${limit}: ask for a shorter range`, ["endTime"]);
};

const tooManyCandidates = (most: number) =>
  badInput(
    `more than ${most} detections overlap the box of the zone (API_TRIAL_CANDIDATES): ask for a shorter range or a smaller zone`,
    ["endTime"],
  );

async function addHeaders(
  client: QueryClient,
  dataSourceId: string,
  tracks: readonly TrialTrack[],
  trial: ZoneTrial,
): Promise<void> {
  const unknown = tracks.map(({ trackId }) => trackId).filter((trackId) => !trial.isKnown(trackId));
  const headers = await trialHeaders(client, dataSourceId, unknown);
  for (const trackId of unknown) trial.setHeader(trackId, headers.get(trackId));
}
