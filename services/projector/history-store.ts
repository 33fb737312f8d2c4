import { createHash } from "node:crypto";
import type { ClickHouseClient } from "@clickhouse/client";
import type { PartitionPosition, ProjectedPosition } from "../../projections/history/positions.ts";
import { projectedPositions, savePositions } from "../../projections/history/queries/positions.ts";
import type { TableRows } from "../../projections/history/rows/gather.ts";

/** Offsets first to next - 1 of a log. */
export interface Covered extends PartitionPosition {
  readonly first: number;
}

export interface HistoryStore {
  /** Resolves when all rows can be read. After a failure the same call again doubles nothing. */
  insert(tables: readonly TableRows[], covered: readonly Covered[]): Promise<void>;
  savePositions(positions: readonly PartitionPosition[]): Promise<void>;
  /** By partition; one never projected is absent. */
  loadPositions(topic: string): Promise<ReadonlyMap<number, ProjectedPosition>>;
}

/** The months of 2020 to 2099, one before and one after. */
const MAX_MONTHS = String(80 * 12 + 2);

export function createHistoryStore(client: ClickHouseClient): HistoryStore {
  return {
    async insert(tables, covered) {
      await Promise.all(
        tables.map(({ table, rows }) =>
          client.insert({
            table: table.name,
            columns: [...table.columns],
            values: rows,
            format: "JSONCompactEachRow",
            clickhouse_settings: {
              // Spares the double rows of a retry. Correctness does not rest on it: a reader sees rows that come twice
              // as one, because after a restart the same messages may be cut into other flushes.
              insert_deduplication_token: token(table.name, covered),
              // Wild timestamps are of any month; the tables bound how many partitions there are.
              max_partitions_per_insert_block: MAX_MONTHS,
            },
          }),
        ),
      );
    },

    savePositions: (positions) => savePositions(client, positions),
    loadPositions: (topic) => projectedPositions(client, topic),
  };
}

function token(table: string, covered: readonly Covered[]): string {
  const ranges = covered.map(({ topic, partition, logId, rankBase, first, next }) => {
    // The same offsets of another log hold other rows.
    return `${topic}/${partition}@${logId}+${rankBase}:${first}-${next}`;
  });
  return createHash("sha256")
    .update([table, ...ranges.sort()].join("\n"))
    .digest("hex");
}
