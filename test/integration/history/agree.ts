// Compares a filter's two sides on many objects: the columns of each question are filters.
import { expect } from "vitest";
import type { Params } from "../../../projections/filters/sql/sql.ts";
import { createParams } from "../../../projections/history/queries/params.ts";
import { ask } from "../../../projections/history/queries/run.ts";
import { smallest } from "../../support/random/smallest.ts";
import type { Database } from "./database.ts";
import type { Random } from "./world.ts";

export interface Sides<Filter, Subject> {
  readonly database: Database;
  readonly from: string;
  /** The row's place in `objects`. */
  readonly number: string;
  readonly objects: readonly Subject[];
  readonly anyFilter: (random: Random) => Filter;
  readonly matches: (filter: Filter, subject: Subject) => boolean;
  readonly compile: (params: Params, filter: Filter) => string;
}

/** Columns of one question. */
const TOGETHER = 50;
/**
 * The sum of the marks gives the number of matching objects and, as far as a hash can, identifies them. A double
 * holds both.
 */
const COUNTED = 2 ** 36;
const MARKS = 4_194_301;
const markOf = (n: number): number => COUNTED + ((n * n * 7_919) % MARKS);

/** Fails with the smallest difference that it finds. */
export async function agree<Filter extends object, Subject>(
  sides: Sides<Filter, Subject>,
  random: Random,
  count: number,
): Promise<void> {
  for (let asked = 0; asked < count; asked += TOGETHER) {
    const filters = Array.from({ length: TOGETHER }, () => sides.anyFilter(random));
    const inSql = await sumsOf(sides, filters);
    for (const [i, filter] of filters.entries()) {
      let inMemory = 0;
      for (const [n, subject] of sides.objects.entries()) if (sides.matches(filter, subject)) inMemory += markOf(n);
      if (inMemory !== inSql[i]) expect.fail(await difference(sides, filter));
    }
  }
}

async function sumsOf<Filter, Subject>(
  { database, from, number, compile }: Sides<Filter, Subject>,
  filters: readonly Filter[],
): Promise<number[]> {
  const params = createParams();
  const columns = filters.map((filter, i) => `sumIf(mark, ${compile(params, filter)}) AS c${i}`);
  const mark = `toUInt64(${COUNTED}) + (${number} * ${number} * 7919) % ${MARKS}`;
  const sql = `SELECT ${columns.join(", ")} FROM (SELECT *, ${mark} AS mark FROM ${from})`;
  const [row = {}] = await ask<Record<string, string>>(database.client, "agree", sql, params);
  return filters.map((_, i) => Number(row[`c${i}`]));
}

async function difference<Filter extends object, Subject>(
  sides: Sides<Filter, Subject>,
  filter: Filter,
): Promise<string> {
  const found = await foundBy(sides, filter);
  const n = sides.objects.findIndex((subject, i) => sides.matches(filter, subject) !== found.has(i));
  const subject = sides.objects[n];
  if (subject === undefined) return `SQL finds rows twice, or others, with ${JSON.stringify(filter)}`;
  const least = await smallest(filter, async (candidate) => {
    return sides.matches(candidate, subject) !== (await foundBy(sides, candidate)).has(n);
  });
  const verdict = sides.matches(least, subject) ? "memory matches, SQL does not" : "SQL matches, memory does not";
  return `${verdict}\nfilter ${JSON.stringify(least)}\nobject ${JSON.stringify(subject)}`;
}

async function foundBy<Filter, Subject>(
  { database, from, number, compile }: Sides<Filter, Subject>,
  filter: Filter,
): Promise<ReadonlySet<number>> {
  const params = createParams();
  const sql = `SELECT ${number} AS n FROM ${from} WHERE ${compile(params, filter)}`;
  const rows = await ask<{ n: string }>(database.client, "found", sql, params);
  return new Set(rows.map(({ n }) => Number(n)));
}
