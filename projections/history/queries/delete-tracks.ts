// Deletes tracks so that a deletion which was interrupted anywhere can be completed.
import { randomUUID } from "node:crypto";
import type { ClickHouseClient } from "@clickhouse/client";
import { tracksTable } from "../tracks.ts";
import { NO_END_MS, unsettledTable } from "../unsettled.ts";
import { createParams } from "./params.ts";
import { ask, askCount, FOLDING } from "./run.ts";
import { TRACK_KEY } from "./track-candidates.ts";

export const LISTED_TABLE = "tracks_to_delete_v1";

/** A large table takes longer; the store goes on by itself. */
const WAIT_MS = 10_000;

interface Run {
  readonly run: string;
  /** When the newest row of its tracks was recorded, milliseconds. */
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
 * Deletes all tracks that are listed, also those of a run that was interrupted. false: the store still deletes some of them,
 * and the caller repeats this later. Several processes may do it at the same time.
 */
export async function deleteListed(client: ClickHouseClient): Promise<boolean> {
  const sql = `SELECT run, toUnixTimestamp64Milli(max(updated_at)) AS newest FROM ${LISTED_TABLE} GROUP BY run`;
  let isDone = true;
  for (const run of await ask<Run>(client, "listed runs", sql, createParams())) {
    if (!(await complete(client, run))) isDone = false;
  }
  return isDone;
}

/** The list is dropped only after the store has confirmed that all its tracks are gone. */
async function complete(client: ClickHouseClient, { run, newest }: Run): Promise<boolean> {
  if (await isUnderWay(client, run)) return false;
  try {
    await client.command({
      // A row that is recorded after the listing belongs to a track that came back, and stays.
      query: `DELETE FROM ${tracksTable.name} WHERE updated_at <= fromUnixTimestamp64Milli(${newest}, 'UTC')
        AND (${TRACK_KEY}) IN (SELECT ${TRACK_KEY} FROM ${LISTED_TABLE} WHERE run = '${run}')`,
      clickhouse_settings: { lightweight_deletes_sync: "1" },
      abort_signal: AbortSignal.timeout(WAIT_MS),
    });
  } catch (error) {
    if (await isUnderWay(client, run)) return false;
    throw error;
  }
  await forgetEnds(client, run);
  await client.command({ query: `ALTER TABLE ${LISTED_TABLE} DROP PARTITION '${run}'` });
  return true;
}

/** Settling never looks again through the keys of long tracks that have ended. Those of tracks that came back stay. */
async function forgetEnds(client: ClickHouseClient, run: string): Promise<void> {
  const listed = `(${TRACK_KEY}) IN (SELECT ${TRACK_KEY} FROM ${LISTED_TABLE} WHERE run = '${run}')`;
  await client.command({
    query: `DELETE FROM ${unsettledTable.name} WHERE own_end < fromUnixTimestamp64Milli(${NO_END_MS}, 'UTC') AND ${listed}
      AND (${TRACK_KEY}) NOT IN (SELECT ${TRACK_KEY} FROM ${tracksTable.name} WHERE ${listed})`,
    clickhouse_settings: { lightweight_deletes_sync: "1" },
  });
}

async function isUnderWay(client: ClickHouseClient, run: string): Promise<boolean> {
  const params = createParams();
  const condition = `database = currentDatabase() AND table = ${params.bind("String", tracksTable.name)}
    AND NOT is_done AND NOT is_killed AND position(command, ${params.bind("String", run)}) > 0`;
  return (await askCount(client, "deletions under way", "system.mutations", condition, params)) > 0;
}
