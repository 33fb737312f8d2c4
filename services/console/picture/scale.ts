/** Least distance between two lines of a grid, in pixels of the screen. */
const LEAST = 80;

/** The distance between two lines of a grid: 1, 2 or 5 times a power of ten of the plane's unit. */
export function stepOf(scale: number): number {
  const least = LEAST / scale;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((each) => each * power >= least) ?? 10;
  return factor * power;
}
