import { createHash } from "node:crypto";
import type { ClickHouseClient } from "@clickhouse/client";
import { detectionsTable } from "../../projections/history/detections.ts";
import type { Layout } from "../../projections/history/layout/layout.ts";
import type { PartitionPosition, ProjectedPosition } from "../../projections/history/positions.ts";
import { otherLayout } from "../../projections/history/queries/check-layout.ts";
import { projectedPositions, savePositions } from "../../projections/history/queries/positions.ts";
import type { TableRows } from "../../projections/history/rows/gather.ts";
import { MIB } from "../../schemas/units.ts";
import { insertBytes } from "../common/clickhouse-insert.ts";
import { PermanentError } from "../common/permanent-errors.ts";
import { writeBlock } from "./native/block.ts";
import { Bytes } from "./native/bytes.ts";
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

/**
 * A detection that comes twice in a flush is one to a reader, as one that comes in two flushes. To make it one row
 * before the part is written takes a fifth of an insert.
 */
const UNMERGED = { optimize_on_insert: 0 } as const;

/** A larger buffer is not kept from one flush to the next. */
const MAX_SPARE_BYTES = 32 * MIB;

export function createHistoryStore(client: ClickHouseClient): HistoryStore {
  let asked: Promise<TableTypes> | undefined;
  /**
   * Buffers by table. One is absent while an insert sends it, and after an insert that failed: its request may still
   * read it.
   */
  const spare = new Map<string, Buffer>();

  function types(): Promise<TableTypes> {
    const answer = asked ?? tableTypes(client);
    asked = answer;
    // A failed question is asked again.
    answer.catch(() => {
      if (asked === answer) asked = undefined;
    });
    return answer;
  }

  async function insertRows(rows: TableRows, covered: readonly ProjectedRange[]): Promise<void> {
    const { name, columns } = rows.table;
    const known = (await types()).get(name) ?? [];
    const bytes = new Bytes(spare.get(name));
    spare.delete(name);
    writeBlock(bytes, rows, known);
    await insertBytes(client, {
      table: name,
      columns,
      format: "Native",
      bytes: bytes.written(),
      settings: {
        // The token keeps a retry from inserting rows twice. Correctness does not depend on it: after a restart the
        // same messages may be cut into other flushes, so a reader sees duplicate rows as one.
        insert_deduplication_token: token(name, covered),
        // Wrong timestamps may fall into any month, so an insert must be allowed to touch all partitions.
        max_partitions_per_insert_block: MAX_MONTHS,
        ...(name === detectionsTable.name ? UNMERGED : {}),
      },
    });
    const buffer = bytes.spare();
    if (buffer.length <= MAX_SPARE_BYTES) spare.set(name, buffer);
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
