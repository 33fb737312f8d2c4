import type { SqlColumn } from "../fields.ts";

/** Returns the test of a column. A missing value (NULL) fails it. */
export const known = ({ nullable }: SqlColumn, test: string): string =>
  nullable === true ? `ifNull(${test}, 0)` : test;

export function exists({ sql, nullable }: SqlColumn, wanted: boolean): string {
  if (nullable !== true) return wanted ? "1" : "0";
  return `${sql} IS ${wanted ? "NOT " : ""}NULL`;
}
