// Detections of a range for a heat map: all of them, or a sample that is spread evenly over them.
import { countIn, slicesOf } from "../past/density.ts";
import type { Range } from "../past/scale.ts";
import { boxOf, footOf } from "../picture/rings.ts";
import type { Point } from "../picture/view.ts";
import type { Asks } from "./asks.ts";
import { askDensity, askPlaces } from "./range-questions.ts";

/** A heat map counts at most this many detections. */
export const MOST_SAMPLED = 20_000;
const SLICES = 20;

export interface Sample {
  /** Detections of the range. */
  readonly total: number;
  /** Detections that have been read. */
  readonly read: number;
  /** Middles of the lower edges of their boxes, in pixels. */
  readonly feet: readonly Point[];
  /** Longitudes and latitudes in degrees. */
  readonly positions: readonly Point[];
}

/** @param onPart gets what has come so far. */
export async function takeSample(
  requests: Asks,
  { id, range, signal }: { readonly id: string; readonly range: Range; readonly signal: AbortSignal },
  onPart: (sample: Sample) => void,
): Promise<void> {
  const density = await askDensity(requests, { id, range, signal });
  const total = countIn(density);
  const feet: Point[] = [];
  const positions: Point[] = [];
  let read = 0;
  onPart({ total, read, feet, positions });
  for (const slice of slicesOf(density, range, SLICES)) {
    let after: string | undefined;
    do {
      const { places, next } = await askPlaces(requests, { id, range: slice, after, signal });
      for (const { ring, position } of places) {
        if (ring.length > 0) feet.push(footOf(boxOf(ring)));
        if (position !== null) positions.push(position);
      }
      read += places.length;
      // Each slice gives one page when the detections are too many.
      after = total > MOST_SAMPLED || read >= MOST_SAMPLED ? undefined : next;
      onPart({ total, read, feet, positions });
    } while (after !== undefined);
    if (read >= MOST_SAMPLED) return;
  }
}
