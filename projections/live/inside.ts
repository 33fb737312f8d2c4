import type { Zone } from "../../schemas/events.ts";
import { contains, insidePercent, type Probe, type Shape } from "./geometry.ts";

/** Whether a detection is in a zone: returns the share of its polygon inside, 0 to 100; -1 = outside. */
export function percentInside(shape: Shape, anchor: Zone["anchor"], box: Probe): number {
  const percent = insidePercent(shape, box);
  if (anchor === "area") return percent > 0 ? percent : -1;
  return contains(shape, (box.minX + box.maxX) / 2, box.maxY) ? percent : -1;
}
