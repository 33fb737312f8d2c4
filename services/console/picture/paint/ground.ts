// Paints what lies below a scene: the image, or a grid with a scale where there is none.
import { stepOf } from "../scale.ts";
import type { Box, View } from "../view.ts";
import type { Theme } from "./theme.ts";

export interface GroundPainting {
  readonly context: CanvasRenderingContext2D;
  readonly view: View;
  readonly box: Box;
  readonly theme: Theme;
  /** Behind a number, for example "px". */
  readonly unit: string;
}

export function paintImage(
  { context, view, box }: Pick<GroundPainting, "context" | "view" | "box">,
  image: CanvasImageSource,
): void {
  const { scale, left, top } = view;
  context.drawImage(
    image,
    left + box[0] * scale,
    top + box[1] * scale,
    (box[2] - box[0]) * scale,
    (box[3] - box[1]) * scale,
  );
}

export function paintGrid({ context, view, box, theme, unit }: GroundPainting): void {
  const { scale, left, top } = view;
  const step = stepOf(scale);
  const [x0, y0, x1, y1] = [left + box[0] * scale, top + box[1] * scale, left + box[2] * scale, top + box[3] * scale];
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.globalAlpha = 0.6;
  context.beginPath();
  for (let x = Math.ceil(box[0] / step) * step; x <= box[2]; x += step) {
    const at = Math.round(left + x * scale) + 0.5;
    context.moveTo(at, y0);
    context.lineTo(at, y1);
  }
  for (let y = Math.ceil(box[1] / step) * step; y <= box[3]; y += step) {
    const at = Math.round(top + y * scale) + 0.5;
    context.moveTo(x0, at);
    context.lineTo(x1, at);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.strokeRect(x0, y0, x1 - x0, y1 - y0);
  context.fillStyle = theme.quiet;
  for (let x = Math.ceil(box[0] / step) * step; x < box[2]; x += step)
    context.fillText(
      x === 0 ? `0 ${unit}` : String(Number(x.toPrecision(6))),
      left + x * scale + 3,
      Math.max(y0, 0) + 12,
    );
}
