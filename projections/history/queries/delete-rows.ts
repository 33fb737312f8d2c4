// Deletes rows without waiting for ClickHouse to finish: a DELETE of a large table takes longer than a caller waits.
import type { ClickHouseClient } from "@clickhouse/client";
import type { Params } from "../../filters/sql/sql.ts";
import type { Layout } from "../layout/layout.ts";
import { createParams } from "./params.ts";
import { askCount } from "./run.ts";

/**
 * The time to wait for a deletion, ms. A deletion in a large table takes longer; ClickHouse then continues by itself.
 */
const WAIT_MS = 10_000;

export interface Deletion {
  readonly layout: Layout;
  readonly table: string;
  readonly condition: string;
  readonly params: Params;
  /** A text of the condition that no other deletion of the table has. */
  readonly mark: string;
}

/**
 * Deletes the rows of the table that fulfil the condition.
 * @returns false while the store is still deleting them; the caller must then repeat the call later.
 */
export async function deleteRows(client: ClickHouseClient, deletion: Deletion): Promise<boolean> {
  const { layout, table, condition, params } = deletion;
  if (await isDeleting(client, deletion)) return false;
  const isGone = async () => (await askCount(client, "rows to delete", table, condition, params)) === 0;
  // A deletion takes its time even if there is nothing to delete.
  if (await isGone()) return true;
  try {
    for (const query of layout.statements(`DELETE FROM ${table} WHERE ${condition}`)) {
      await client.command({
        query,
        query_params: { ...params.values },
        clickhouse_settings: layout.isCluster ? ON_REPLICAS : { lightweight_deletes_sync: "1" },
        abort_signal: AbortSignal.timeout(WAIT_MS),
      });
    }
  } catch (error) {
    if (await isDeleting(client, deletion)) return false;
    throw error;
  }
  return layout.isCluster ? isGone() : true;
}

/**
 * Each replica reads the subqueries of a deletion from its own rows. One that has not received the list of keys yet
 * deletes too few, and ClickHouse takes over the part of the replica that was first. So the rows are counted
 * afterwards, and the caller repeats the deletion.
 */
const ON_REPLICAS = { lightweight_deletes_sync: "2", allow_nondeterministic_mutations: 1 } as const;

/** @returns true while the store is still deleting rows. */
export async function isDeleting(
  client: ClickHouseClient,
  { layout, table, mark }: Pick<Deletion, "layout" | "table" | "mark">,
): Promise<boolean> {
  const params = createParams();
  const condition = `${layout.isOwn} AND table = ${params.bind("String", layout.storedName(table))}
    AND NOT is_done AND NOT is_killed AND position(command, ${params.bind("String", mark)}) > 0`;
  return (await askCount(client, "deletions under way", layout.mutations, condition, params)) > 0;
}
