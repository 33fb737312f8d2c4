// A track as far as snapshots and closest frames need it, with all its detections of a stretch of time.
import type { Stay, ZoneArea } from "../../../projections/snapshot/membership.ts";
import { inOrder, type Spots } from "../../../projections/snapshot/spot.ts";

export interface TrackFacts {
  readonly trackId: string;
  readonly tag: string;
  readonly dataSourceId: string | null;
  /** ms; null = it has not ended. */
  readonly endTime: number | null;
  readonly stays: readonly Stay[];
  /** Those of its data source when it was asked for; null: they were not asked for. */
  readonly zones: readonly ZoneArea[] | null;
  /** When the answer came, ms. */
  readonly askedAt: number;
}

/** Both ends included; ms. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A stretch of which every detection was given, and when. */
export interface Covered extends Stretch {
  readonly askedAt: number;
}

export interface RecordedTrack extends TrackFacts {
  /** Ascending and apart. */
  readonly covered: readonly Covered[];
  readonly spots: Spots;
}

/** A track and the stretch of time of which its detections are wanted. */
export interface Wanted extends Stretch {
  readonly trackId: string;
}

export const contains = (outer: Stretch, { from, to }: Stretch): boolean => outer.from <= from && outer.to >= to;

/** The newer answer, with the detections that the older one has beside it. */
export const joined = (older: RecordedTrack, newer: RecordedTrack): RecordedTrack => ({
  ...newer,
  covered: apart([...older.covered, ...newer.covered]),
  spots: inOrder([...newer.spots, ...older.spots]),
});

/** What overlaps becomes one, as old as the older part. */
function apart(stretches: readonly Covered[]): Covered[] {
  const found: Covered[] = [];
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
