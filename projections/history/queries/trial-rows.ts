// The detections of a track as ClickHouse sends them to a trial of a zone.

/** A detection without a polygon changes no intersection; one that is OUTSIDE is so for certain. */
export const DETECTION = { WITHOUT_POLYGON: 0, OUTSIDE: 1, NEAR: 2, NEAR_BOX: 3 } as const;

/**
 * A track with its detections of a piece, in any order: row `i` of each list is that of detection `i`. The lists are
 * views of ClickHouse's answer, because copies of millions of rows keep the garbage collector busy. Numbers are
 * little-endian.
 */
export interface TrialTrack {
  readonly trackId: string;
  /** Timestamps, ms: Float64. */
  readonly times: DataView;
  /** Places in the log, offset * 2^24 + item: UInt64. */
  readonly ranks: DataView;
  /** Values of DETECTION: UInt8. */
  readonly kinds: DataView;
  /**
   * The polygons of those that are near, one after the other: Float64. A NEAR_BOX has two opposite corners of the ring
   * x0, y0, x1, y0, x1, y1, x0, y1, x0, y0. A NEAR polygon has the number of its rings, the length of each, and their
   * numbers.
   */
  readonly shapes: DataView;
}

export const detectionCount = ({ kinds }: TrialTrack): number => kinds.byteLength;

export const rowKind = ({ kinds }: TrialTrack, row: number): number => kinds.getUint8(row);

export const rowTime = ({ times }: TrialTrack, row: number): number => times.getFloat64(8 * row, true);

/** Returns the offset of a detection's message. */
export const rowOffset = ({ ranks }: TrialTrack, row: number): number =>
  ranks.getUint32(8 * row + 4, true) * 2 ** 8 + (ranks.getUint32(8 * row, true) >>> 24);

/** Returns true when detection `one` comes before the other in the log. */
export function isBefore({ ranks }: TrialTrack, one: number, other: number): boolean {
  const high = ranks.getUint32(8 * one + 4, true);
  const otherHigh = ranks.getUint32(8 * other + 4, true);
  return high < otherHigh || (high === otherHigh && ranks.getUint32(8 * one, true) < ranks.getUint32(8 * other, true));
}

/** Returns number `i` of all shapes. */
export const shapeNumber = ({ shapes }: TrialTrack, i: number): number => shapes.getFloat64(8 * i, true);
