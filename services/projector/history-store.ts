import { createHash } from "node:crypto";
import type { ClickHouseClient } from "@clickhouse/client";
import { projectedUpTo } from "../../projections/history/queries/positions.ts";
import type { TableRows } from "../../projections/history/rows/gather.ts";
import type { Stretch } from "./project-batch.ts";

export interface HistoryStore {
  /** Resolves when all rows can be read. After a failure the same call again doubles nothing. */
  insert(tables: readonly TableRows[], covered: readonly Stretch[]): Promise<void>;
  savePositions(covered: readonly Stretch[]): Promise<void>;
  /** Next offset by partition; a partition never projected is absent. */
  loadPositions(topic: string): Promise<ReadonlyMap<number, number>>;
}

export function createHistoryStore(client: ClickHouseClient): HistoryStore {
  return {
    async insert(tables, covered) {
      await Promise.all(
        tables.map(({ table, rows }) =>
          client.insert({
            table: table.name,
            columns: [table.columns[0] ?? "", ...table.columns.slice(1)],
            values: rows,
            format: "JSONCompactEachRow",
            clickhouse_settings: {
              // Spares the double rows of a retry. What counts is that rows which come twice are one when read:
              // after a restart the same messages may be cut into other flushes.
              insert_deduplication_token: token(table.name, covered),
            },
          }),
        ),
      );
    },

    async savePositions(covered) {
      await client.insert({
        table: "projector_positions_v1",
        columns: ["topic", "partition", "next_offset"],
        values: covered.map(({ topic, partition, next }) => [topic, partition, next]),
        format: "JSONCompactEachRow",
      });
    },

    loadPositions: (topic) => projectedUpTo(client, topic),
  };
}

function token(table: string, covered: readonly Stretch[]): string {
  const ranges = covered.map(({ topic, partition, first, next }) => `${topic}/${partition}:${first}-${next}`).sort();
  return createHash("sha256")
    .update([table, ...ranges].join("\n"))
    .digest("hex");
}
