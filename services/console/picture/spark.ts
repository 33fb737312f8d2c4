/** Points of a line in a box of 10 units of height: the largest value is at the top (0), nothing at the bottom (10). */
export function sparkPoints(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values.map((value, i) => `${i},${Number((10 - (10 * value) / most).toFixed(2))}`).join(" ");
}
