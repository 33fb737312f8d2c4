// Names beside things, none over another. Pure, but for the width of a text, which is given.
import type { Box, Point } from "../view.ts";

export interface Label {
  readonly text: string;
  readonly colour: string;
  /** Upper left corner of what it names, on the screen. */
  readonly at: Point;
}

export interface PlacedLabel extends Label {
  readonly box: Box;
}

export const LABEL_HEIGHT = 16;
const PADDING = 4;
/** More of them are a grey mass, and take longer to paint than everything else. */
const MOST_LABELS = 150;
/** Labels are compared with those of the cells that they touch, not with all. */
const CELL = 128;

/** Earlier ones are placed first; one that would cover another is left out. */
export function placedLabels(labels: Iterable<Label>, widthOf: (text: string) => number): readonly PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  const cells = new Map<string, PlacedLabel[]>();
  for (const label of labels) {
    if (placed.length >= MOST_LABELS) break;
    const [x, y] = label.at;
    const box: Box = [x, y - LABEL_HEIGHT, x + widthOf(label.text) + 2 * PADDING, y];
    const keys = cellsOf(box);
    if (keys.some((key) => cells.get(key)?.some((other) => overlap(other.box, box)))) continue;
    const place = { ...label, box };
    placed.push(place);
    for (const key of keys) {
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, [place]);
      else cell.push(place);
    }
  }
  return placed;
}

function cellsOf([left, top, right, bottom]: Box): readonly string[] {
  const keys: string[] = [];
  for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++)
    for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y++) keys.push(`${x},${y}`);
  return keys;
}

const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

export function paintLabels(
  context: CanvasRenderingContext2D,
  labels: Iterable<Label>,
  inkOf: (colour: string) => string,
): void {
  for (const { text, colour, box } of placedLabels(labels, (text) => widthOf(context, text))) {
    context.fillStyle = colour;
    context.fillRect(box[0], box[1], box[2] - box[0], LABEL_HEIGHT);
    context.fillStyle = inkOf(colour);
    context.fillText(text, box[0] + PADDING, box[3] - 4);
  }
}

const widths = new Map<string, number>();
const MOST_WIDTHS = 5_000;

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  const key = `${context.font}|${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size >= MOST_WIDTHS) widths.clear();
  const { width } = context.measureText(text);
  widths.set(key, width);
  return width;
}
