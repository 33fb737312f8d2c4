// A zone as if it had existed over a range of the past. The fold of live state itself judges the detections: it gets
// the zone, then the detections of one track after the other, as messages of a log.
import type { CameraLogEvent, Detection, Polygon, Zone } from "../../schemas/events.ts";
import { type Box, boxOfRing } from "../geometry/box.ts";
import type { TrialHeader } from "../history/queries/trial-headers.ts";
import type { TrialTrack } from "../history/queries/trial-rows.ts";
import type { Steps } from "../live/pace.ts";
import { decidingRows } from "./deciding.ts";
import { detectionsOf } from "./detections.ts";
import { END, foldOrder } from "./fold-order.ts";
import { createTrialHeaderMemory } from "./headers.ts";
import { createJudge, type JudgedStay } from "./judge.ts";
import { inLogOrder } from "./log-order.ts";

/** An intersection of the trial. */
export interface TrialStay {
  readonly trackId: string;
  readonly tag: string;
  readonly startTime: number;
  /** Null when the track was in the zone at the end of the range. */
  readonly endTime: number | null;
}

export interface TrialSettings {
  readonly zone: Zone;
  readonly trackTtlMs: number;
  readonly reorderMs: number;
  /** The end of the range, ms of event time. */
  readonly to: number;
}

export interface ZoneTrial {
  /** The box of the zone. */
  readonly box: Box;
  isKnown(trackId: string): boolean;
  /** Must be called before the detections of a new track are added. */
  setHeader(trackId: string, header: TrialHeader | undefined): void;
  /** Folds the detections that one track has in a piece. They come after those of earlier pieces. */
  add(track: TrialTrack): Steps;
  /** Ends a piece. Returns the stays that no later piece changes. */
  endPiece(before: number): Generator<void, readonly TrialStay[]>;
  /**
   * Returns the tracks of which the piece that begins then decides something, even if it has none of their detections
   * near the zone.
   */
  goingOn(before: number): string[];
  /** Returns the remaining stays at `at`, the end of the range or the present. */
  end(at: number): Generator<void, readonly TrialStay[]>;
}

/** A message of the fold has no more detections than this, so that its work can pause. */
const MESSAGE_DETECTIONS = 500;

export function createZoneTrial({ zone, trackTtlMs, reorderMs, to }: TrialSettings): ZoneTrial {
  const { dataSourceId } = zone;
  const judge = createJudge(zone, trackTtlMs);
  const headers = createTrialHeaderMemory(to);
  const box = boxOfRing(zone.polygon.rings[0] ?? []);
  const outside = outsideOf(box);
  const shown = (stays: readonly JudgedStay[]): TrialStay[] =>
    stays.map(({ trackId, startTime, endTime }) => ({ trackId, startTime, endTime, tag: headers.tagOf(trackId) }));

  function* applyEnd(trackId: string): Steps {
    const end = headers.endAhead(trackId);
    if (end === null) return;
    headers.noteEnd(trackId);
    yield* judge.fold(endingOf(dataSourceId, trackId, end.time));
  }

  function* expire(before: number): Steps {
    const silent = judge.tracks().filter((track) => track.phase === "live" && judge.hasExpired(track, before));
    for (const { trackId, lastSeen: endTime } of silent) {
      // A later end says nothing about this stretch, and may belong to the next one.
      if ((headers.endAhead(trackId)?.time ?? 0) <= endTime + trackTtlMs) yield* applyEnd(trackId);
      yield* judge.fold(expiryOf(dataSourceId, trackId, endTime));
      yield;
    }
  }

  function* add(track: TrialTrack): Steps {
    const rows = decidingRows(track, yield* inLogOrder(track), trackTtlMs);
    yield;
    const order = yield* foldOrder(track, rows, headers.endAhead(track.trackId), reorderMs);
    for (const detections of messagesOf(order, detectionsOf(track, outside))) {
      if (detections === END) yield* applyEnd(track.trackId);
      else yield* judge.fold({ type: "DetectionsRecorded", event: { dataSourceId, detections } });
      yield;
    }
  }

  return {
    box,
    isKnown: headers.isKnown,
    setHeader: headers.set,
    add,
    *endPiece(before) {
      yield* expire(before);
      const stays = shown(judge.takeSettled(before));
      headers.keep((trackId) => judge.track(trackId) !== undefined);
      return stays;
    },
    goingOn: (before) =>
      judge
        .tracks()
        .filter((track) => track.intersections.length > 0 && !judge.hasExpired(track, before))
        .map(({ trackId }) => trackId),
    *end(at) {
      yield* expire(at);
      for (const { trackId } of judge.tracks()) yield* applyEnd(trackId);
      return shown(judge.takeRest());
    },
  };
}

/** The detections between the ends, in messages. */
function* messagesOf(
  order: readonly number[],
  detectionAt: (row: number) => Detection,
): Generator<readonly Detection[] | typeof END, void> {
  let detections: Detection[] = [];
  for (const row of order) {
    if (row !== END) detections.push(detectionAt(row));
    if (row !== END && detections.length < MESSAGE_DETECTIONS) continue;
    yield detections;
    detections = [];
    if (row === END) yield END;
  }
  yield detections;
}

/** A point outside the zone. It stands for polygons that were not read because they are outside for certain. */
function outsideOf({ minX, minY }: Box): Polygon {
  const [x, y] = [minX - 1 - Math.abs(minX), minY - 1 - Math.abs(minY)];
  return { rings: [[x, y, x, y, x, y]], crs: null };
}

const expiryOf = (dataSourceId: string, trackId: string, endTime: number): CameraLogEvent => ({
  type: "TrackExpired",
  event: { trackId, dataSourceId, endTime, reason: "expired", readUpTo: null },
});

const endingOf = (dataSourceId: string, trackId: string, endTime: number): CameraLogEvent => ({
  type: "TrackUpdated",
  event: {
    trackId,
    dataSourceId,
    tag: null,
    startTime: null,
    endTime,
    properties: null,
    metadata: null,
    cleared: [],
    detections: [],
  },
});
