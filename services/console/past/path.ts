// Figures about the path of one track: speeds, stays by zone, and what was near it. Pure.
import type { Box, Point } from "../picture/view.ts";

export interface Spot {
  readonly at: number;
  readonly box: Box;
}

/** A longer silence breaks the line of the speeds. */
const GAP_MS = 2_000;

export interface SpeedPoint {
  readonly at: number;
  /** Pixels of the image in a second; null where the track was silent. */
  readonly speed: number | null;
}

const centreOf = ([left, top, right, bottom]: Box): Point => [(left + right) / 2, (top + bottom) / 2];

const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/**
 * Speeds of the middles of boxes, each the mean of a part of the time.
 * @param spots ascending by time.
 * @param most the most parts, 1 or more.
 */
export function speedsOf(spots: readonly Spot[], most: number): readonly SpeedPoint[] {
  const [first, last] = [spots[0], spots.at(-1)];
  if (first === undefined || last === undefined) return [];
  const partMs = Math.max(1, (last.at - first.at) / most);
  const points: SpeedPoint[] = [];
  let before = first;
  let [part, length, timeMs] = [0, 0, 0];
  const close = () => {
    if (timeMs > 0) points.push({ at: first.at + (part + 0.5) * partMs, speed: (length * 1_000) / timeMs });
    [length, timeMs] = [0, 0];
  };
  for (const spot of spots.slice(1)) {
    const elapsedMs = spot.at - before.at;
    const ofPart = Math.min(most - 1, Math.floor((spot.at - first.at) / partMs));
    if (ofPart !== part) close();
    part = ofPart;
    if (elapsedMs > GAP_MS) {
      close();
      points.push({ at: (before.at + spot.at) / 2, speed: null });
    } else if (elapsedMs > 0) {
      length += distance(centreOf(before.box), centreOf(spot.box));
      timeMs += elapsedMs;
    }
    before = spot;
  }
  close();
  return points;
}

/**
 * The spot that the picture of the camera shows at this moment.
 * @param spots ascending by time, at least one.
 * @returns the index of the last spot at or before the moment; 0 when all are later.
 */
export function spotUntil(spots: readonly { readonly at: number }[], at: number): number {
  let [low, high] = [0, spots.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spots[middle]?.at ?? at) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

const OLD_MS = 1_000;

/** @returns how far the spot is from the moment, in words; undefined when that is a second or less. */
export function ageOfSpot(spotAt: number, at: number, length: (ms: number) => string): string | undefined {
  const ms = Math.abs(at - spotAt);
  if (spotAt > at) return `The box is that of its first detection, ${ms < OLD_MS ? `${ms} ms` : length(ms)} later.`;
  return ms > OLD_MS ? `The box is that of a detection ${length(ms)} before.` : undefined;
}

export interface TrackStay {
  readonly zoneId: string;
  readonly zoneName: string;
  readonly since: number;
  /** Null while the track is inside. */
  readonly endedAt: number | null;
}

/** The stays of a track in one zone. */
export interface Lane {
  readonly zoneId: string;
  readonly zoneName: string;
  readonly stays: readonly TrackStay[];
  readonly totalMs: number;
}

/** @param until the end of a stay that has not ended. @returns lanes in the order of their first stays. */
export function lanesOf(stays: readonly TrackStay[], until: number): readonly Lane[] {
  const byZone = Map.groupBy(
    [...stays].sort((a, b) => a.since - b.since),
    ({ zoneId }) => zoneId,
  );
  return Array.from(byZone, ([zoneId, ofZone]) => ({
    zoneId,
    zoneName: ofZone[0]?.zoneName ?? "",
    stays: ofZone,
    totalMs: ofZone.reduce((sum, { since, endedAt }) => sum + Math.max(0, (endedAt ?? until) - since), 0),
  }));
}

export interface Neighbour {
  readonly trackId: string;
  readonly tag: string;
  /** Between the middles of the boxes, in pixels. */
  readonly distance: number;
}

/** @param most the most neighbours. @returns the nearest first. */
export function neighboursOf(
  box: Box,
  others: readonly { readonly trackId: string; readonly tag: string; readonly box: Box }[],
  most: number,
): readonly Neighbour[] {
  const middle = centreOf(box);
  return others
    .map(({ trackId, tag, box: other }) => ({ trackId, tag, distance: distance(middle, centreOf(other)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most);
}

/** Equal parts of the time, for a sample of a path that is too long. @param to not before `from`. */
export function partsOf({ from, to }: { readonly from: number; readonly to: number }, count: number) {
  const starts = Array.from({ length: count }, (_, i) => Math.round(from + ((to - from) * i) / count));
  return [...new Set(starts)].map((start, i, all) => ({ from: start, to: (all[i + 1] ?? to + 1) - 1 }));
}
