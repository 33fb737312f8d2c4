import { createHash } from "node:crypto";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Layout } from "../../projections/history/layout/layout.ts";
import type { PartitionPosition, ProjectedPosition } from "../../projections/history/positions.ts";
import { otherLayout } from "../../projections/history/queries/check-layout.ts";
import { projectedPositions, savePositions } from "../../projections/history/queries/positions.ts";
import type { TableRows } from "../../projections/history/rows/gather.ts";
import { insertBytes } from "../common/clickhouse-insert.ts";
import { PermanentError } from "../common/permanent-errors.ts";
import { encodeBlock } from "./native/block.ts";
import { type TableTypes, tableTypes } from "./native/table-types.ts";

/** Offsets `first` to `next` - 1 of a log. */
export interface ProjectedRange extends PartitionPosition {
  readonly first: number;
}

export interface HistoryStore {
  /** Resolves when all rows can be read. Repeating the same call after a failure adds no row twice. */
  insert(tables: readonly TableRows[], covered: readonly ProjectedRange[]): Promise<void>;
  savePositions(positions: readonly PartitionPosition[]): Promise<void>;
  /** Positions by partition; a partition that was never projected is absent. */
  loadPositions(topic: string): Promise<ReadonlyMap<number, ProjectedPosition>>;
}

/**
 * The number of monthly partitions: the months of 2020 to 2099, one for all earlier times and one for all later ones.
 */
const MAX_MONTHS = String(80 * 12 + 2);

/** A block of few rows. */
const FIRST_BYTES = 65_536;

export function createHistoryStore(client: ClickHouseClient): HistoryStore {
  let known: Promise<TableTypes> | undefined;
  /** The sizes of the newest blocks by table: the next ones have about the same. */
  const sizes = new Map<string, number>();

  function types(): Promise<TableTypes> {
    const asked = known ?? tableTypes(client);
    known = asked;
    // A failed question is asked again.
    asked.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked;
  }

  async function insertRows(rows: TableRows, covered: readonly ProjectedRange[]): Promise<void> {
    const { name, columns } = rows.table;
    const block = encodeBlock(rows, (await types()).get(name) ?? [], sizes.get(name) ?? FIRST_BYTES);
    sizes.set(name, block.length);
    await insertBytes(client, {
      table: name,
      columns,
      format: "Native",
      bytes: block,
      settings: {
        // The token keeps a retry from inserting rows twice. Correctness does not depend on it: after a restart the
        // same messages may be cut into other flushes, so a reader sees duplicate rows as one.
        insert_deduplication_token: token(name, covered),
        // Wrong timestamps may fall into any month, so an insert must be allowed to touch all partitions.
        max_partitions_per_insert_block: MAX_MONTHS,
      },
    });
  }

  return {
    async insert(tables, covered) {
      await Promise.all(tables.map((rows) => insertRows(rows, covered)));
    },

    savePositions: (positions) => savePositions(client, positions),

    async loadPositions(topic) {
      // A projector that cannot write a table must not begin.
      await types();
      return projectedPositions(client, topic);
    },
  };
}

/**
 * Returns the same store, but before it gives positions, and so before anything is inserted, it rejects with
 * PermanentError when the tables lie otherwise than the configuration says.
 */
export const checkingLayout = (store: HistoryStore, client: ClickHouseClient, layout: Layout): HistoryStore => ({
  ...store,
  async loadPositions(topic) {
    const problem = await otherLayout(client, layout);
    if (problem !== undefined) throw new PermanentError(problem);
    return store.loadPositions(topic);
  },
});

function token(table: string, covered: readonly ProjectedRange[]): string {
  const ranges = covered.map(({ topic, partition, logId, rankBase, first, next }) => {
    // The same offsets of another log hold other rows.
    return `${topic}/${partition}@${logId}+${rankBase}:${first}-${next}`;
  });
  return createHash("sha256")
    .update([table, ...ranges.sort()].join("\n"))
    .digest("hex");
}
