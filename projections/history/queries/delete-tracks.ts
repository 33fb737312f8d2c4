// Deletes tracks in steps, so that a deletion that was interrupted at any point can be completed.
import { randomUUID } from "node:crypto";
import type { ClickHouseClient } from "@clickhouse/client";
import { bindTime } from "../../filters/sql/sql.ts";
import type { Layout } from "../layout/layout.ts";
import { tracksTable } from "../tracks.ts";
import { NO_END_MS, unsettledTable } from "../unsettled.ts";
import { deleteRows } from "./delete-rows.ts";
import { dropPartition } from "./drop-partition.ts";
import { createParams } from "./params.ts";
import { ask, FOLDING } from "./run.ts";
import { TRACK_KEY } from "./track-candidates.ts";

export const LISTED_TABLE = "tracks_to_delete_v1";

interface Run {
  readonly run: string;
  /** The time at which the newest row of its tracks was recorded, milliseconds. */
  readonly newest: string;
}

/** Lists the tracks that fulfil a condition on tracks_current_v1, as one run. Nothing is deleted yet. */
export async function listTracks(
  client: ClickHouseClient,
  condition: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  await client.command({
    query: `INSERT INTO ${LISTED_TABLE} (run, ${TRACK_KEY}, updated_at)
      SELECT '${randomUUID()}', ${TRACK_KEY}, updated_at FROM tracks_current_v1 WHERE ${condition}`,
    query_params: { ...values },
    clickhouse_settings: FOLDING,
  });
}

/**
 * Deletes all listed tracks, including those of a run that was interrupted. Several processes may do it at the same
 * time.
 * @returns false while the store is still deleting some of them; the caller must then repeat the call later.
 */
export async function deleteListed(client: ClickHouseClient, layout: Layout): Promise<boolean> {
  const sql = `SELECT run, toUnixTimestamp64Milli(max(updated_at)) AS newest FROM ${LISTED_TABLE} GROUP BY run`;
  let isDone = true;
  for (const run of await ask<Run>(client, "listed runs", sql, createParams())) {
    if (!(await complete(client, layout, run))) isDone = false;
  }
  return isDone;
}

/** Drops the list only after the store has confirmed that all its tracks, and then their keys, are gone. */
async function complete(client: ClickHouseClient, layout: Layout, { run, newest }: Run): Promise<boolean> {
  const params = createParams();
  const listed = `(${TRACK_KEY}) IN (SELECT ${TRACK_KEY} FROM ${LISTED_TABLE} WHERE run = ${params.bind("String", run)})`;
  // A row that is recorded after the listing belongs to a track that came back, and stays.
  const isOlder = `updated_at <= ${bindTime(params, Number(newest))}`;
  // Settling never reads the keys of long tracks that have ended, so they are deleted here. The keys of tracks that
  // came back stay.
  const isForgotten = `own_end < ${bindTime(params, NO_END_MS)} AND ${listed}
    AND (${TRACK_KEY}) NOT IN (SELECT ${TRACK_KEY} FROM ${tracksTable.name} WHERE ${listed})`;
  const deletion = { layout, params, mark: run };
  const isDone =
    (await deleteRows(client, { ...deletion, table: tracksTable.name, condition: `${isOlder} AND ${listed}` })) &&
    (await deleteRows(client, { ...deletion, table: unsettledTable.name, condition: isForgotten }));
  if (isDone) await dropPartition(client, layout, LISTED_TABLE, `'${run}'`);
  return isDone;
}
