import type { Ring, View } from "../view.ts";

/** Adds a closed ring to the path. */
export function addRing(context: CanvasRenderingContext2D, view: View, ring: Ring): void {
  const { scale, left, top } = view;
  let isFirst = true;
  for (const [x, y] of ring) {
    if (isFirst) context.moveTo(left + x * scale, top + y * scale);
    else context.lineTo(left + x * scale, top + y * scale);
    isFirst = false;
  }
  context.closePath();
}
