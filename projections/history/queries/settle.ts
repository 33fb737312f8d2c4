// Removes settled tracks from tracks_unsettled_v3.
import type { ClickHouseClient } from "@clickhouse/client";
import { bindTime } from "../../filters/sql/sql.ts";
import type { Layout } from "../layout/layout.ts";
import { tracksTable } from "../tracks.ts";
import { NO_END_MS, SETTLED_SPAN_MS, unsettledTable } from "../unsettled.ts";
import { deleteRows, isDeleting } from "./delete-rows.ts";
import { dropPartition } from "./drop-partition.ts";
import { createParams } from "./params.ts";
import { ask, askCount, FOLDING } from "./run.ts";
import { TRACK_KEY } from "./track-candidates.ts";

/**
 * A partition is processed this many seconds after its last possible insert. An insert takes far less time, so no late
 * one can reach the partition.
 */
const QUIET_S = 120;

/**
 * The keys of open tracks share the partition of the next midnight, so they are read once a day, not every few minutes.
 * A track that ends meanwhile costs a reader one more key, and changes no answer.
 */
const NEXT_MIDNIGHT = "toStartOfDay(now('UTC')) + INTERVAL 1 DAY";
/** The keys of tracks that have ended share a partition that is never processed. */
const NEVER = "toDateTime('2100-01-01 00:00:00', 'UTC')";

/**
 * Processes the partitions without recent inserts, one after the other. It adds the keys that are still unsettled again
 * before it drops a partition, so that a reader always finds them. Several processes may do this at once, and it may be
 * interrupted at any point: then some settled keys stay a little longer. A store that is too slow for all partitions
 * still makes progress. A partition whose keys the store is still deleting is dropped by a later call.
 */
export async function settleTracks(client: ClickHouseClient, layout: Layout, quietSeconds = QUIET_S): Promise<void> {
  const table = unsettledTable.name;
  const params = createParams();
  const sql = `SELECT DISTINCT partition_id AS id FROM ${layout.parts}
    WHERE ${layout.isOwn} AND table = ${params.bind("String", layout.storedName(table))} AND active
      AND toDateTime(partition, 'UTC') + INTERVAL 10 MINUTE <= now() - ${params.bind("UInt32", quietSeconds)}
    ORDER BY id`;
  for (const { id } of await ask<{ id: string }>(client, "quiet partitions", sql, params)) {
    if (await isDeleting(client, { layout, table, mark: markOf(id) })) continue;
    await keepUnsettled(client, id);
    if (await dropEndsOfDeleted(client, layout, id)) await dropPartition(client, layout, table, `ID '${id}'`);
  }
}

async function keepUnsettled(client: ClickHouseClient, partitionId: string): Promise<void> {
  const table = unsettledTable.name;
  const params = createParams();
  const keys = `SELECT ${TRACK_KEY} FROM ${table} WHERE _partition_id = ${params.bind("String", partitionId)}`;
  await client.command({
    query: `INSERT INTO ${table} (${TRACK_KEY}, own_start, own_end, touched_at)
      SELECT ${TRACK_KEY}, start_time, ifNull(end_time, ${bindTime(params, NO_END_MS)}),
        if(end_time IS NULL, ${NEXT_MIDNIGHT}, ${NEVER})
      FROM tracks_current_v1
      WHERE (${TRACK_KEY}) IN (${keys})
        AND (end_time IS NULL OR end_time > addMilliseconds(start_time, ${SETTLED_SPAN_MS}))`,
    query_params: { ...params.values },
    // Without deduplication, because a key that was deleted with its track may come back with the same values.
    clickhouse_settings: { ...FOLDING, insert_deduplicate: 0 },
  });
}

/** Returns a text that every deletion of the partition's keys contains. */
const markOf = (partitionId: string): string => `_partition_id = '${partitionId}'`;

/**
 * Deletes the keys of deleted tracks. A deletion that ended while the keys were added did not see them, and settling
 * never reads the keys of ended tracks again. A deletion that ends later sees them (delete-tracks.ts).
 * @returns false while the store is still deleting them: it still reads the partition.
 */
async function dropEndsOfDeleted(client: ClickHouseClient, layout: Layout, partitionId: string): Promise<boolean> {
  const table = unsettledTable.name;
  const params = createParams();
  const mark = markOf(partitionId);
  const keys = `SELECT ${TRACK_KEY} FROM ${table} WHERE ${mark}`;
  const isDeleted = `(${TRACK_KEY}) NOT IN (SELECT ${TRACK_KEY} FROM ${tracksTable.name} WHERE (${TRACK_KEY}) IN (${keys}))`;
  // This query reads only the small partition. It mostly saves the deletion, which reads the many keys of ended tracks.
  if ((await askCount(client, "keys of deleted tracks", `(${keys})`, isDeleted, params)) === 0) return true;
  const condition = `own_end < ${bindTime(params, NO_END_MS)} AND (${TRACK_KEY}) IN (${keys}) AND ${isDeleted}`;
  return deleteRows(client, { layout, table, condition, params, mark });
}
