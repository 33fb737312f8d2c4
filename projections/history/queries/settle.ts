// Removes settled tracks from tracks_unsettled_v3.
import type { ClickHouseClient } from "@clickhouse/client";
import { bindTime } from "../../filters/sql/sql.ts";
import { NO_END_MS, SETTLED_SPAN_MS, unsettledTable } from "../unsettled.ts";
import { createParams } from "./params.ts";
import { ask, FOLDING } from "./run.ts";
import { TRACK_KEY } from "./track-candidates.ts";

/** Far longer than an insert takes: a partition is looked through only when no insert can reach it any more. */
const QUIET_S = 120;

/**
 * Keys of open tracks share the partition of the next midnight: they are looked through once a day, not every few minutes.
 * A track that is settled meanwhile costs a reader one more key, and no answer changes.
 */
const NEXT_MIDNIGHT = "toStartOfDay(now('UTC')) + INTERVAL 1 DAY";
/** Keys of tracks that have ended share a partition that is never looked through. */
const NEVER = "toDateTime('2100-01-01 00:00:00', 'UTC')";

/**
 * Adds the keys that stay before it drops a partition, so a reader always finds them. Several processes may do it at
 * once, and it may be interrupted anywhere: then some settled keys stay a little longer. One partition at a time: a store
 * that is too slow for all of them gets on all the same.
 */
export async function settleTracks(client: ClickHouseClient, quietSeconds = QUIET_S): Promise<void> {
  const table = unsettledTable.name;
  const params = createParams();
  const sql = `SELECT DISTINCT partition_id AS id FROM system.parts
    WHERE database = currentDatabase() AND table = ${params.bind("String", table)} AND active
      AND toDateTime(partition, 'UTC') + INTERVAL 10 MINUTE <= now() - ${params.bind("UInt32", quietSeconds)}
    ORDER BY id`;
  for (const { id } of await ask<{ id: string }>(client, "quiet partitions", sql, params)) {
    await keepUnsettled(client, id);
    await client.command({ query: `ALTER TABLE ${table} DROP PARTITION ID '${id}'` });
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
    // A key that was deleted with its track may come back with the same values.
    clickhouse_settings: { ...FOLDING, insert_deduplicate: 0 },
  });
}
