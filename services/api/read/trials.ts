// Runs trials of zones: reads the detections of a range piece by piece, and folds one piece while ClickHouse prepares
// the next.

import type { BinaryClient } from "../../../projections/history/queries/run.ts";
import { detectionBuckets, type TrialPiece, type TrialRange } from "../../../projections/history/queries/trial.ts";
import { trialHeaders } from "../../../projections/history/queries/trial-headers.ts";
import {
  DETECTION,
  detectionCount,
  rowKind,
  type TrialTrack,
} from "../../../projections/history/queries/trial-rows.ts";
import { type TrialQuestion, tracksAmong, tracksNear } from "../../../projections/history/queries/trial-tracks.ts";
import type { Steps } from "../../../projections/live/pace.ts";
import { createStayCollection, type PageOfStays, type TrialTotals } from "../../../projections/trial/collect.ts";
import { piecesOf } from "../../../projections/trial/pieces.ts";
import { createZoneTrial, type TrialStay, type ZoneTrial } from "../../../projections/trial/zone-trial.ts";
import { badInput, unavailable } from "../../../schemas/errors.ts";
import type { Zone } from "../../../schemas/events.ts";
import { createSlots } from "../../common/fairness/slots.ts";
import { createLoopTurns } from "../../common/loop-turns.ts";
import { codeOf } from "../../common/store-away.ts";

export interface TrialLimits {
  /** The maximum number of detections in the range. */
  readonly maxDetections: number;
  /** The maximum number of detections near the zone. */
  readonly maxCandidates: number;
}

export interface TrialsOptions extends TrialLimits {
  /** Detections of a piece, which are read at a time. */
  readonly pieceDetections: number;
  /** Pieces whose answers are too large become smaller, down to so many detections. */
  readonly leastPiece: number;
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
  readonly client: BinaryClient;
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
      slots.run(tokenId, () => runInPieces(client, request, { ...options, inSlices })),
  };
}

interface Running extends TrialsOptions {
  readonly inSlices: <T>(steps: Generator<void, T>) => Promise<T>;
}

/** Codes of TOO_MANY_ROWS_OR_BYTES and MEMORY_LIMIT_EXCEEDED. */
const TOO_LARGE: ReadonlySet<unknown> = new Set(["396", "241"]);

/** Begins again with smaller pieces when the polygons of one are too large for an answer. */
async function runInPieces(client: BinaryClient, request: TrialRequest, running: Running): Promise<TrialAnswer> {
  try {
    return await runTrial(client, request, running);
  } catch (error) {
    const pieceDetections = Math.ceil(running.pieceDetections / 8);
    if (!TOO_LARGE.has(codeOf(error)) || pieceDetections < running.leastPiece) throw error;
    return runInPieces(client, request, { ...running, pieceDetections });
  }
}

async function runTrial(client: BinaryClient, request: TrialRequest, running: Running): Promise<TrialAnswer> {
  const { range, zone, isWanted } = request;
  const { trackTtlMs, reorderMs, inSlices } = running;
  const collection = createStayCollection(request);
  const take = (stays: readonly TrialStay[]) => {
    for (const stay of stays) if (isWanted(stay)) collection.add(stay);
  };
  const trial = createZoneTrial({ zone, trackTtlMs, reorderMs, to: range.to });
  for await (const { piece, tracks } of tracksByPiece(client, request, trial, running)) {
    await addHeaders(client, range.dataSourceId, tracks, trial);
    await inSlices(addAll(trial, tracks));
    take(await inSlices(trial.endPiece(piece.to)));
  }
  take(await inSlices(trial.end(Math.min(range.to, running.now()))));
  return { page: collection.page(), totals: collection.totals() };
}

function* addAll(trial: ZoneTrial, tracks: readonly TrialTrack[]): Steps {
  for (const track of tracks) {
    yield* trial.add(track);
    yield;
  }
}

interface ReadPiece {
  readonly piece: TrialPiece;
  readonly tracks: readonly TrialTrack[];
}

/** Reads the next piece while the caller works on one. */
async function* tracksByPiece(
  client: BinaryClient,
  { range, zone }: TrialRequest,
  trial: ZoneTrial,
  { pieceDetections, maxDetections, maxCandidates, inSlices }: Running,
): AsyncGenerator<ReadPiece, void> {
  const near = { box: trial.box, anchor: zone.anchor };
  const pieces = await piecesOf(range, pieceDetections, countUpTo(client, maxDetections));
  const read = (piece: TrialPiece) => {
    const found = tracksNear(client, { piece, zone: near });
    // The error is thrown where the piece is awaited. Until then it must not end the process.
    found.catch(() => {});
    return found;
  };
  let candidates = 0;
  let next = pieces[0] && read(pieces[0]);
  for (const [i, piece] of pieces.entries()) {
    const answer = await next;
    const following = pieces[i + 1];
    next = following && read(following);
    const found = answer === undefined ? [] : await inSlices(answer);
    candidates += found.reduce((sum, track) => sum + countNear(track), 0);
    if (candidates > maxCandidates) throw tooManyCandidates(maxCandidates);
    const known = new Set(found.map(({ trackId }) => trackId));
    const others = trial.goingOn(piece.from).filter((trackId) => !known.has(trackId));
    yield { piece, tracks: [...found, ...(await allAmong(client, { piece, zone: near }, others, inSlices))] };
  }
}

/** Ids of a query, which sends them in its address. */
const IDS = 200;

async function allAmong(
  client: BinaryClient,
  question: TrialQuestion,
  trackIds: readonly string[],
  inSlices: Running["inSlices"],
): Promise<TrialTrack[]> {
  const tracks: TrialTrack[] = [];
  for (let first = 0; first < trackIds.length; first += IDS) {
    tracks.push(...(await inSlices(await tracksAmong(client, question, trackIds.slice(first, first + IDS)))));
  }
  return tracks;
}

function countNear(track: TrialTrack): number {
  let near = 0;
  for (let row = 0; row < detectionCount(track); row++) if (rowKind(track, row) >= DETECTION.NEAR) near++;
  return near;
}

/** Throws BAD_USER_INPUT when a range has more detections. */
const countUpTo = (client: BinaryClient, most: number) => async (range: TrialRange, widthMs: number) => {
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
  client: BinaryClient,
  dataSourceId: string,
  tracks: readonly TrialTrack[],
  trial: ZoneTrial,
): Promise<void> {
  const unknown = tracks.map(({ trackId }) => trackId).filter((trackId) => !trial.isKnown(trackId));
  const headers = await trialHeaders(client, dataSourceId, unknown);
  for (const trackId of unknown) trial.setHeader(trackId, headers.get(trackId));
}
