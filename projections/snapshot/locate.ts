// Locates a track at an instant, from the detections around it.
import type { TrackSnapshot } from "../../schemas/rest/detections.ts";
import { type Box, boxBetween, interpolate } from "../geometry/box.ts";
import { type GeoPoint, placeBetween } from "../geometry/great-circle.ts";
import { type Neighbours, nearest, neighbours, type Spot, type Spots } from "./spot.ts";

export interface Located {
  readonly method: TrackSnapshot["position"]["method"];
  /** Time to the nearest detection; never negative. */
  readonly offsetMs: number;
  readonly box: Box | null;
  readonly place: GeoPoint | null;
  /** Broker time of the located spot, ms, interpolated between the two detections around it. Null when unknown. */
  readonly recordedAt: number | null;
}

/**
 * Before its first and after its last detection, a track is taken to be at the place of the nearest one.
 * @returns undefined when there is no detection.
 */
export function locate(spots: Spots, at: number): Located | undefined {
  const around = neighbours(spots, at);
  const closest = nearest(around, at);
  if (closest === undefined) return undefined;
  return {
    method: methodOf(around),
    offsetMs: Math.abs(closest.at - at),
    // A detection may lack one of the values. Then the nearest detections that have it count.
    box: mix(spots, at, ({ box }) => box, boxBetween),
    place: mix(spots, at, ({ place }) => place, placeBetween),
    recordedAt: mix(spots, at, ({ recordedAt }) => recordedAt, interpolate),
  };
}

function methodOf({ before, after }: Neighbours): Located["method"] {
  if (before === undefined) return "backward_extrapolation";
  if (after === undefined) return "forward_extrapolation";
  return before === after ? "real" : "linear";
}

function mix<Value>(
  spots: Spots,
  at: number,
  has: (spot: Spot) => Value | null,
  mixed: (from: Value, to: Value, share: number) => Value,
): Value | null {
  const having = spots.filter((spot) => has(spot) !== null);
  const { before, after } = neighbours(having, at);
  const from = before === undefined ? null : has(before);
  const to = after === undefined ? null : has(after);
  if (before === undefined || after === undefined || from === null || to === null) return from ?? to;
  return before === after ? from : mixed(from, to, (at - before.at) / (after.at - before.at));
}
