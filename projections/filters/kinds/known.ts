import type { Column } from "../fields.ts";

/** A missing value fails the test. */
export const known = ({ nullable }: Column, test: string): string => (nullable === true ? `ifNull(${test}, 0)` : test);

export function exists({ sql, nullable }: Column, wanted: boolean): string {
  if (nullable !== true) return wanted ? "1" : "0";
  return `${sql} IS ${wanted ? "NOT " : ""}NULL`;
}
