// Paints a heat map.
import { HEAT_COLOURS, type Heat, heatStep } from "../past/heat.ts";
import type { Layer } from "../picture/picture.ts";
import { toScreen } from "../picture/view.ts";

export const paintHeat =
  ({ cells, most }: Heat): Layer =>
  (context, view) => {
    context.globalAlpha = 0.75;
    for (const { ring, count } of cells) {
      context.fillStyle = HEAT_COLOURS[heatStep(count, most)] ?? "";
      context.beginPath();
      for (const point of ring) {
        const [x, y] = toScreen(view, point);
        context.lineTo(x, y);
      }
      context.fill();
    }
  };
