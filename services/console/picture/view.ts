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
