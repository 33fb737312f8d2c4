import type { Zone } from "../../schemas/events.ts";
import { contains, insidePercent, type Probe, type Shape } from "../geometry/shape.ts";

/**
 * The share of a detection's polygon inside a zone, 0 to 100.
 * @returns -1 when the detection is not in the zone.
 */
export function percentInside(shape: Shape, anchor: Zone["anchor"], box: Probe): number {
  const percent = insidePercent(shape, box);
  if (anchor === "area") return percent > 0 ? percent : -1;
  return contains(shape, (box.minX + box.maxX) / 2, box.maxY) ? percent : -1;
}
