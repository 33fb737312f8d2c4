import type { ClickHouseClient } from "@clickhouse/client";
import { type PartitionPosition, type ProjectedPosition, positionsTable } from "../positions.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

export type { PartitionPosition, ProjectedPosition };

/**
 * The positions by partition. A partition that was never projected is absent. `topic` is the broker's name of the
 * topic.
 */
export async function projectedPositions(client: QueryClient, topic: string): Promise<Map<number, ProjectedPosition>> {
  const params = createParams();
  const sql = `SELECT partition, max((rank_base, next_offset, log_id)) AS newest,
      newest.1 AS rankBase, newest.2 AS next, newest.3 AS logId
    FROM projector_positions_v1 WHERE topic = ${params.bind("String", topic)} GROUP BY partition`;
  const rows = await ask<{ partition: number; next: string; logId: string; rankBase: string }>(
    client,
    "projected positions",
    sql,
    params,
  );
  return new Map(
    rows.map(({ partition, next, logId, rankBase }) => [
      partition,
      { next: Number(next), logId: logId === "" ? undefined : logId, rankBase: Number(rankBase) },
    ]),
  );
}

/** A position before the stored one of the same base changes nothing, because an older owner may write late. */
export async function savePositions(client: ClickHouseClient, positions: readonly PartitionPosition[]): Promise<void> {
  await client.insert({
    table: positionsTable.name,
    columns: [...positionsTable.columns],
    values: positions.map(positionsTable.row),
    format: "JSONCompactEachRow",
  });
}

/** Offset of the next message to project, by partition. The tables contain everything before it. */
export async function projectedUpTo(client: QueryClient, topic: string): Promise<Map<number, number>> {
  const positions = await projectedPositions(client, topic);
  return new Map(Array.from(positions, ([partition, { next }]) => [partition, next]));
}
