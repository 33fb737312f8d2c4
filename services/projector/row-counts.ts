import type { ClickHouseClient } from "@clickhouse/client";

const COUNTS = `
  SELECT 'detections' AS name, count() AS rows FROM detections_v1 FINAL
  UNION ALL SELECT 'tracks', count() FROM tracks_v1 FINAL
  UNION ALL SELECT 'zoneIntersections', count() FROM zone_intersections_v1 FINAL`;

/** Rows as a reader sees them. */
export async function countRows(client: ClickHouseClient): Promise<Record<string, number>> {
  const result = await client.query({ query: COUNTS, format: "JSONEachRow" });
  const counts = await result.json<{ name: string; rows: string }>();
  return Object.fromEntries(counts.map(({ name, rows }) => [name, Number(rows)]));
}

export async function isEmpty(client: ClickHouseClient): Promise<boolean> {
  return Object.values(await countRows(client)).every((rows) => rows === 0);
}
