// Names beside things, none over another. Pure, but for the width of a text, which is given.
import type { Box, Point } from "./view.ts";

export interface Label {
  /** The id of the named thing; undefined when a click on the label means nothing. */
  readonly id?: string;
  readonly text: string;
  readonly colour: string;
  /** Upper left corner of what it names, on the screen. */
  readonly at: Point;
}

export interface PlacedLabel extends Label {
  readonly box: Box;
}

export const LABEL_HEIGHT = 16;
export const LABEL_PADDING = 4;
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
    const box: Box = [x, y - LABEL_HEIGHT, x + widthOf(label.text) + 2 * LABEL_PADDING, y];
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

/** @returns the label under a point of the screen. */
export const labelAt = (labels: readonly PlacedLabel[], [x, y]: Point): PlacedLabel | undefined =>
  labels.find(({ box: [left, top, right, bottom] }) => x >= left && x <= right && y >= top && y <= bottom);

function cellsOf([left, top, right, bottom]: Box): readonly string[] {
  const keys: string[] = [];
  for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++)
    for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y++) keys.push(`${x},${y}`);
  return keys;
}

const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
