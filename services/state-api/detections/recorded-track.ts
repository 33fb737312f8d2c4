// The facts of a track that snapshots and closest frames need, with all its detections of some time ranges.
import type { ZoneArea, ZoneStay } from "../../../projections/snapshot/membership.ts";
import { inOrder, type Spots } from "../../../projections/snapshot/spot.ts";

export interface TrackFacts {
  readonly trackId: string;
  readonly tag: string;
  readonly dataSourceId: string | null;
  /** Time of the end, ms; null while it has not ended. */
  readonly endTime: number | null;
  readonly stays: readonly ZoneStay[];
  /** Zones of its data source at the time of the answer; null when they were not requested. */
  readonly zones: readonly ZoneArea[] | null;
  /** Time of the answer, ms. */
  readonly askedAt: number;
}

/** Milliseconds, both ends included. */
export interface TimeStretch {
  readonly from: number;
  readonly to: number;
}

/** A time range of which all detections are known, and the time of the answer. */
export interface CoveredStretch extends TimeStretch {
  readonly askedAt: number;
}

export interface RecordedTrack extends TrackFacts {
  /** Stretches in ascending order, without overlap. */
  readonly covered: readonly CoveredStretch[];
  readonly spots: Spots;
}

/** A track, and the time range whose detections are wanted. */
export interface DetectionRange extends TimeStretch {
  readonly trackId: string;
}

export const covers = (outer: TimeStretch, { from, to }: TimeStretch): boolean => outer.from <= from && outer.to >= to;

/** Returns the newer answer, with the additional detections of the older one. */
export const joined = (older: RecordedTrack, newer: RecordedTrack): RecordedTrack => ({
  ...newer,
  covered: apart([...older.covered, ...newer.covered]),
  spots: inOrder([...newer.spots, ...older.spots]),
});

/** Joins overlapping time ranges. A joined range is as old as its oldest part. */
function apart(stretches: readonly CoveredStretch[]): CoveredStretch[] {
  const found: CoveredStretch[] = [];
  for (const stretch of [...stretches].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last === undefined || last.to < stretch.from) {
      found.push(stretch);
      continue;
    }
    const askedAt = Math.min(last.askedAt, stretch.askedAt);
    found[found.length - 1] = { from: last.from, to: Math.max(last.to, stretch.to), askedAt };
  }
  return found;
}
