// Drops old months of the history. docs/decisions/0012-history-by-month.md says why months are dropped whole, and what
// happens to tracks.
import type { ClickHouseClient } from "@clickhouse/client";
import { all, bindTime, type Params } from "../../filters/sql/sql.ts";
import { historyKinds } from "../kinds.ts";
import type { Layout } from "../layout/layout.ts";
import { tracksTable } from "../tracks.ts";
import { deleteListed, LISTED_TABLE, listTracks } from "./delete-tracks.ts";
import { dropPartition } from "./drop-partition.ts";
import { createParams } from "./params.ts";
import { ask, askCount } from "./run.ts";
import { TRACK_KEY } from "./track-candidates.ts";

/**
 * The months from the first to the one before the last are partitions of their own. All earlier time is one partition
 * of each table, and so is all later time.
 */
const FIRST_MONTH = 202001;
const LAST_MONTH = 210001;

const BY_MONTH = historyKinds.flatMap(({ byMonth }) => byMonth.map(({ name }) => name));

export interface OldMonth {
  readonly table: string;
  /** YYYYMM; 0 for all time before 2020. */
  readonly month: number;
  /** Unmerged rows of the table. Rows that replace each other all count. */
  readonly rows: number;
}

export interface OldHistory {
  readonly months: readonly OldMonth[];
  readonly tracks: number;
}

/** The start of the month of an instant, milliseconds. */
export const monthStart = (ms: number, monthsLater = 0): number => {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
};

/** Returns the time at which the newest row of the history was recorded, ms by the clock of the log. */
export async function newestRecording(client: ClickHouseClient): Promise<number | undefined> {
  const sql = `SELECT toUnixTimestamp64Milli(max(updated_at)) AS newest FROM ${tracksTable.name} HAVING count() > 0`;
  const [row] = await ask<{ newest: string }>(client, "newest recording", sql, createParams());
  return row === undefined ? undefined : Number(row.newest);
}

/**
 * Finds everything that lies wholly before the month of `before`. Tracks have no month: a track is old when no part of
 * it is later.
 */
export async function oldHistory(client: ClickHouseClient, layout: Layout, before: number): Promise<OldHistory> {
  const limit = monthLimit(before);
  if (limit === undefined) return { months: [], tracks: 0 };
  const params = createParams();
  const byStoredName = new Map(BY_MONTH.map((name) => [layout.storedName(name), name]));
  const tables = params.bind("Array(String)", [...byStoredName.keys()]);
  const sql = `SELECT table, toUInt32(partition) AS month, sum(rows) AS rows FROM ${layout.parts}
    WHERE ${layout.isOwn} AND active AND table IN ${tables} AND toUInt32(partition) < ${limit}
    GROUP BY table, month ORDER BY month, table`;
  const months = await ask<{ table: string; month: number; rows: string }>(client, "old months", sql, params);
  const ofTracks = createParams();
  const old = `SELECT ${TRACK_KEY} FROM tracks_current_v1 WHERE ${isOld(ofTracks, before)}`;
  const oldOrListed = `(${old} UNION DISTINCT SELECT ${TRACK_KEY} FROM ${LISTED_TABLE})`;
  const tracks = await askCount(client, "old tracks", oldOrListed, "1", ofTracks);
  const named = months.map(({ table, month, rows }) => {
    return { table: byStoredName.get(table) ?? table, month, rows: Number(rows) };
  });
  return { months: named, tracks };
}

/**
 * Drops months at once, and tracks as soon as the store has time. Several processes may do it at the same time:
 * dropping a month that is already gone is no error.
 * @returns false while the store is still deleting tracks; the caller must then repeat the call later.
 */
export async function dropOldHistory(
  client: ClickHouseClient,
  layout: Layout,
  before: number,
  old: OldHistory,
): Promise<boolean> {
  for (const { table, month } of old.months) await dropPartition(client, layout, table, `ID '${month}'`);
  if (old.tracks === 0) return true;
  const params = createParams();
  const condition = all([isOld(params, before), `(${TRACK_KEY}) NOT IN (SELECT ${TRACK_KEY} FROM ${LISTED_TABLE})`]);
  await listTracks(client, condition, params.values);
  return deleteListed(client, layout);
}

/** Returns the first month that is kept, as YYYYMM. */
function monthLimit(before: number): number | undefined {
  const date = new Date(before);
  const month = date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
  return month < FIRST_MONTH ? undefined : Math.min(month, LAST_MONTH);
}

function isOld(params: Params, before: number): string {
  const limit = bindTime(params, Math.min(monthStart(before), Date.UTC(2100, 0)));
  return all([
    `start_time < ${limit}`,
    `ifNull(end_time, start_time) < ${limit}`,
    `ifNull(last_detection_at, start_time) < ${limit}`,
  ]);
}
