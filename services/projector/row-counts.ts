import type { ClickHouseClient } from "@clickhouse/client";
import { historyKinds } from "../../projections/history/kinds.ts";
import type { Table } from "../../projections/history/table.ts";

/** Turns the table name `zone_intersections_v1` into zoneIntersections. */
const nameOf = ({ name }: Table): string =>
  name.replace(/_v\d+$/, "").replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const COUNTS = historyKinds
  .flatMap(({ tables }) => tables)
  .map((table) => `SELECT '${nameOf(table)}' AS name, count() AS rows FROM ${table.name} FINAL`)
  .join(" UNION ALL ");

/** Counts the rows as a reader sees them: a row that was stored twice counts once. */
export async function countRows(client: ClickHouseClient): Promise<Record<string, number>> {
  const result = await client.query({ query: COUNTS, format: "JSONEachRow" });
  const counts = await result.json<{ name: string; rows: string }>();
  return Object.fromEntries(counts.map(({ name, rows }) => [name, Number(rows)]));
}

export async function isEmpty(client: ClickHouseClient): Promise<boolean> {
  return Object.values(await countRows(client)).every((rows) => rows === 0);
}
