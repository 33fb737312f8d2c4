import type { ClickHouseClient } from "@clickhouse/client";
import { createParams } from "../filters/sql.ts";
import { ask } from "./run.ts";

/**
 * Offset of the next message to project, by partition; a partition never projected is absent. `topic` is the broker's
 * name of it. Everything before the offset can be read from the tables.
 */
export async function projectedUpTo(client: ClickHouseClient, topic: string): Promise<Map<number, number>> {
  const params = createParams();
  const sql = `SELECT partition, max(next_offset) AS next FROM projector_positions_v1
    WHERE topic = ${params.bind("String", topic)} GROUP BY partition`;
  const rows = await ask<{ partition: number; next: string }>(client, "projected up to", sql, params);
  return new Map(rows.map(({ partition, next }) => [partition, Number(next)]));
}
