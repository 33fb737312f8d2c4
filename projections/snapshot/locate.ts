// Where a track was at an instant, from the detections around it.
import { type Box, between, boxBetween } from "../box.ts";
import { type Place, placeBetween } from "../great-circle.ts";
import { type Neighbours, nearest, neighbours, type Spot, type Spots } from "./spot.ts";

export type Method = "real" | "linear" | "forward_extrapolation" | "backward_extrapolation";

export interface Located {
  readonly method: Method;
  /** To the nearest detection; never negative. */
  readonly offsetMs: number;
  readonly box: Box | null;
  readonly place: Place | null;
  /** When the log was where the track is located, ms; null = not known. */
  readonly recordedAt: number | null;
}

/** undefined: there is no detection. Beyond the detections a track stays where the nearest one saw it. */
export function locate(spots: Spots, at: number): Located | undefined {
  const around = neighbours(spots, at);
  const closest = nearest(around, at);
  if (closest === undefined) return undefined;
  return {
    method: methodOf(around),
    offsetMs: Math.abs(closest.at - at),
    // A detection may lack one of them: then those that have it count.
    box: mix(spots, at, ({ box }) => box, boxBetween),
    place: mix(spots, at, ({ place }) => place, placeBetween),
    recordedAt: mix(spots, at, ({ recordedAt }) => recordedAt, between),
  };
}

function methodOf({ before, after }: Neighbours): Method {
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
