// How the plane of a camera's image lies on the screen.

/** A point, in pixels of the image or of the screen. */
export type Point = readonly [x: number, y: number];

/** Closed or open: readers treat the last point as joined to the first. */
export type Ring = readonly Point[];

/** Left, top, right and bottom, in pixels of the image. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

export interface View {
  /** Pixels of the screen for one of the image. */
  readonly scale: number;
  /** Place on the screen of the image's origin. */
  readonly left: number;
  readonly top: number;
}

export const toScreen = ({ scale, left, top }: View, [x, y]: Point): Point => [left + x * scale, top + y * scale];

export const toImage = ({ scale, left, top }: View, [x, y]: Point): Point => [(x - left) / scale, (y - top) / scale];

/** Shows all of `box` in the middle of a screen of this size. A box without an area is shown as one pixel. */
export function fitted([left, top, right, bottom]: Box, width: number, height: number): View {
  const wide = Math.max(1, right - left);
  const high = Math.max(1, bottom - top);
  const scale = Math.min(width / wide, height / high);
  return { scale, left: (width - wide * scale) / 2 - left * scale, top: (height - high * scale) / 2 - top * scale };
}

/** Makes everything `factor` times as large around a point of the screen, which keeps its place. */
export const zoomed = ({ scale, left, top }: View, factor: number, [x, y]: Point): View => ({
  scale: scale * factor,
  left: x - (x - left) * factor,
  top: y - (y - top) * factor,
});

/** Moves everything by so many pixels of the screen. */
export const moved = ({ scale, left, top }: View, [x, y]: Point): View => ({ scale, left: left + x, top: top + y });

/** Two fingers went from one place to another: the points of the image below them stay below them. */
export function pinched(view: View, from: readonly [Point, Point], to: readonly [Point, Point]): View {
  const factor = distance(...to) / Math.max(1, distance(...from));
  const [before, after] = [middle(...from), middle(...to)];
  return moved(zoomed(view, factor, before), [after[0] - before[0], after[1] - before[1]]);
}

/**
 * Keeps the view useful: between as large as `all` and 60 times that, with a part of `all` on the screen.
 * @param all the view that shows everything, of a picture of the box `box`.
 */
export function held(view: View, all: View, box: Box, [width, height]: Point): View {
  const scale = Math.min(Math.max(view.scale, all.scale), all.scale * MOST_TIMES);
  const at: Point = [width / 2, height / 2];
  const { left, top } = zoomed(view, scale / view.scale, at);
  return {
    scale,
    left: within(left, width / 2 - box[2] * scale, width / 2 - box[0] * scale),
    top: within(top, height / 2 - box[3] * scale, height / 2 - box[1] * scale),
  };
}

const MOST_TIMES = 60;

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by);

const middle = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2];
