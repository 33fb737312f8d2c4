// Removes settled tracks from tracks_unsettled_v2.
import type { ClickHouseClient } from "@clickhouse/client";
import { SETTLED_SPAN_MS, unsettledTable } from "../unsettled.ts";
import { createParams } from "./params.ts";
import { ask } from "./run.ts";
import { TRACK_KEY } from "./track-candidates.ts";

/** Far longer than an insert takes: a partition is looked through only when no insert can reach it any more. */
const QUIET_S = 120;

/**
 * Keys that stay share the partition of the next midnight: they are looked through once a day, not every few minutes. A
 * track that is settled meanwhile costs a reader one more key, and no answer changes.
 */
const NEXT_MIDNIGHT = "toStartOfDay(now('UTC')) + INTERVAL 1 DAY";

/**
 * Adds the keys that stay before it drops the partitions, so a reader always finds them. Several processes may do it at
 * once, and it may be interrupted anywhere: then some settled keys stay a little longer.
 */
export async function settleTracks(client: ClickHouseClient, quietSeconds = QUIET_S): Promise<void> {
  const table = unsettledTable.name;
  const params = createParams();
  const sql = `SELECT DISTINCT partition_id AS id FROM system.parts
    WHERE database = currentDatabase() AND table = ${params.bind("String", table)} AND active
      AND toDateTime(partition, 'UTC') + INTERVAL 10 MINUTE <= now() - ${params.bind("UInt32", quietSeconds)}`;
  const ids = (await ask<{ id: string }>(client, "quiet partitions", sql, params)).map(({ id }) => id);
  if (ids.length === 0) return;
  const asked = createParams();
  await client.command({
    query: `INSERT INTO ${table} (${TRACK_KEY}, own_start, touched_at)
      SELECT ${TRACK_KEY}, start_time, ${NEXT_MIDNIGHT} FROM tracks_current_v1
      WHERE (${TRACK_KEY}) IN (SELECT ${TRACK_KEY} FROM ${table} WHERE _partition_id IN ${asked.bindList("String", ids)})
        AND (end_time IS NULL OR end_time > addMilliseconds(start_time, ${SETTLED_SPAN_MS}))`,
    query_params: { ...asked.values },
    clickhouse_settings: { optimize_move_to_prewhere_if_final: 1 },
  });
  for (const id of ids) await client.command({ query: `ALTER TABLE ${table} DROP PARTITION ID '${id}'` });
}
