// Deletes rows without waiting for ClickHouse to finish: a DELETE of a large table takes longer than a caller waits.
import type { ClickHouseClient } from "@clickhouse/client";
import type { Params } from "../../filters/sql/sql.ts";
import { createParams } from "./params.ts";
import { askCount } from "./run.ts";

/**
 * The time to wait for a deletion, ms. A deletion in a large table takes longer; ClickHouse then continues by itself.
 */
const WAIT_MS = 10_000;

export interface Deletion {
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
  const { table, condition, params } = deletion;
  if (await isDeleting(client, deletion)) return false;
  // A deletion takes its time even if there is nothing to delete.
  if ((await askCount(client, "rows to delete", table, condition, params)) === 0) return true;
  try {
    await client.command({
      query: `DELETE FROM ${table} WHERE ${condition}`,
      query_params: { ...params.values },
      clickhouse_settings: { lightweight_deletes_sync: "1" },
      abort_signal: AbortSignal.timeout(WAIT_MS),
    });
  } catch (error) {
    if (await isDeleting(client, deletion)) return false;
    throw error;
  }
  return true;
}

/** @returns true while the store is still deleting rows. */
export async function isDeleting(
  client: ClickHouseClient,
  { table, mark }: Pick<Deletion, "table" | "mark">,
): Promise<boolean> {
  const params = createParams();
  const condition = `database = currentDatabase() AND table = ${params.bind("String", table)}
    AND NOT is_done AND NOT is_killed AND position(command, ${params.bind("String", mark)}) > 0`;
  return (await askCount(client, "deletions under way", "system.mutations", condition, params)) > 0;
}
