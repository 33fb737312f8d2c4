// A zone as if it had existed over a range of the past. The fold of live state itself judges the detections: it gets
// the zone, then the detections of one track after the other, as messages of a log.
import type { CameraLogEvent, Detection, Polygon, Zone } from "../../schemas/events.ts";
import { type Box, boxOfRing } from "../geometry/box.ts";
import { DETECTION, type TrialDetections } from "../history/queries/trial.ts";
import type { TrialHeader } from "../history/queries/trial-headers.ts";
import type { Steps } from "../live/pace.ts";
import { foldOrder, type LogEntry } from "./fold-order.ts";
import { createTrialHeaderMemory } from "./headers.ts";
import { createJudge, type JudgedStay } from "./judge.ts";

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
  /** Folds detections of one track. Those of a piece come after those of earlier pieces. */
  add(found: TrialDetections): Steps;
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
      const event = { trackId, dataSourceId, endTime, reason: "expired", readUpTo: null } as const;
      yield* judge.fold({ type: "TrackExpired", event });
      yield;
    }
  }

  function* add(found: TrialDetections): Steps {
    const { trackId } = found;
    const entries = withEnd(entriesOf(found, outside), headers.endAhead(trackId), reorderMs);
    for (const [i, detections] of splitAtEnds(foldOrder(entries, reorderMs)).entries()) {
      if (i > 0) yield* applyEnd(trackId);
      yield* judge.fold({ type: "DetectionsRecorded", event: { dataSourceId, detections } });
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

/** A point outside the zone. It stands for polygons that were not read because they are outside for certain. */
function outsideOf({ minX, minY }: Box): Polygon {
  const [x, y] = [minX - 1 - Math.abs(minX), minY - 1 - Math.abs(minY)];
  return { rings: [[x, y, x, y, x, y]], crs: null };
}

function entriesOf({ trackId, times, offsets, kinds, rings }: TrialDetections, outside: Polygon): LogEntry[] {
  let near = 0;
  return times.map((timestamp, i) => {
    const kind = kinds[i];
    const own = kind === DETECTION.NEAR ? { rings: rings[near++] ?? [], crs: null } : null;
    const polygon = kind === DETECTION.OUTSIDE ? outside : own;
    const detection = { trackId, timestamp, polygon, position: null, direction: null, metadata: null };
    return { time: timestamp, offset: offsets[i] ?? 0, detection };
  });
}

/**
 * Inserts the end at its place in the log. An end after all entries may come with a later piece, unless it was held and
 * some of these detections were folded after it.
 */
function withEnd(entries: LogEntry[], end: TrialHeader["end"], reorderMs: number): readonly LogEntry[] {
  if (end === null) return entries;
  const entry = { ...end, detection: null };
  const place = entries.findIndex(({ offset }) => offset > end.offset);
  if (place >= 0) return entries.toSpliced(place, 0, entry);
  return reorderMs > 0 && entries.some(({ time }) => time > end.time) ? [...entries, entry] : entries;
}

/** The detections before, between and after the ends. */
function splitAtEnds(entries: readonly LogEntry[]): readonly (readonly Detection[])[] {
  let last: Detection[] = [];
  const parts = [last];
  for (const { detection } of entries) {
    if (detection !== null) last.push(detection);
    else {
      last = [];
      parts.push(last);
    }
  }
  return parts;
}

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
