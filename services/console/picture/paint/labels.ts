// Paints names beside things.
import { LABEL_HEIGHT, LABEL_PADDING, type Label, type PlacedLabel, placedLabels } from "../labels.ts";

/** @returns where they are. */
export function paintLabels(
  context: CanvasRenderingContext2D,
  labels: Iterable<Label>,
  inkOf: (colour: string) => string,
): readonly PlacedLabel[] {
  const placed = placedLabels(labels, (text) => widthOf(context, text));
  for (const { text, colour, box } of placed) {
    context.fillStyle = colour;
    context.fillRect(box[0], box[1], box[2] - box[0], LABEL_HEIGHT);
    context.fillStyle = inkOf(colour);
    context.fillText(text, box[0] + LABEL_PADDING, box[3] - 4);
  }
  return placed;
}

/** All labels have the font of the theme. */
const widths = new Map<string, number>();
const MOST_WIDTHS = 5_000;

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (widths.size >= MOST_WIDTHS) widths.clear();
  const { width } = context.measureText(text);
  widths.set(text, width);
  return width;
}
