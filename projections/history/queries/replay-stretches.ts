// The queries of replays that name a stretch by event times or offsets: when it was recorded, and where in the log.
import { HOUR_MS } from "../../../schemas/units.ts";
import { bindTime, type Params } from "../../filters/sql/sql.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

/** Event times, ms; `to` is exclusive. */
export interface SourcesWindow {
  readonly dataSourceIds: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** The times of some detections in ms. Those named `recorded...` are broker times, the others event times. */
export interface RecordedExtent {
  readonly recordedFrom: number;
  readonly recordedTo: number;
  readonly eventFrom: number;
  readonly eventTo: number;
}

export interface SourceExtent extends RecordedExtent {
  readonly dataSourceId: string;
}

interface ExtentRow {
  readonly recorded_from: string;
  readonly recorded_to: string;
  readonly event_from: string;
  readonly event_to: string;
}

const EXTENT = `toUnixTimestamp64Milli(min(recorded_at)) AS recorded_from,
    toUnixTimestamp64Milli(max(recorded_at)) AS recorded_to,
    toUnixTimestamp64Milli(min(timestamp)) AS event_from, toUnixTimestamp64Milli(max(timestamp)) AS event_to`;

/**
 * Returns the extents of the detections in the window, for each data source that has some. FINAL is needed because only
 * the first record of a detection counts: a recording that was sent again later would lengthen the stretch.
 */
export async function windowExtents(client: QueryClient, window: SourcesWindow): Promise<SourceExtent[]> {
  const params = createParams();
  const sql = `SELECT data_source_id, ${EXTENT} FROM detections_v1 FINAL
    WHERE ${isIn(window, params)} GROUP BY data_source_id ORDER BY data_source_id`;
  const rows = await ask<ExtentRow & { readonly data_source_id: string }>(client, "extents of a window", sql, params);
  return rows.map((row) => ({ dataSourceId: row.data_source_id, ...extentOf(row) }));
}

const isIn = ({ dataSourceIds, from, to }: SourcesWindow, params: Params): string =>
  `data_source_id IN ${params.bindList("String", dataSourceIds)}
    AND timestamp >= ${bindTime(params, from)} AND timestamp < ${bindTime(params, to)}`;

const extentOf = (row: ExtentRow): RecordedExtent => ({
  recordedFrom: Number(row.recorded_from),
  recordedTo: Number(row.recorded_to),
  eventFrom: Number(row.event_from),
  eventTo: Number(row.event_to),
});

/** Offsets of a partition as the history has them, with its rank base; `to` is exclusive. */
export interface RankedSpan {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

/** @returns undefined when the history has no detection of these messages. */
export async function spanExtent(client: QueryClient, span: RankedSpan): Promise<RecordedExtent | undefined> {
  const params = createParams();
  const sql = `SELECT ${EXTENT} FROM detections_v1 WHERE ${isOfSpan(span, params)} HAVING count() > 0`;
  const [row] = await ask<ExtentRow>(client, "extent of offsets", sql, params);
  return row && extentOf(row);
}

const isOfSpan = ({ partition, from, to }: RankedSpan, params: Params): string =>
  `partition = ${params.bind("UInt16", partition)}
    AND offset >= ${params.bind("UInt64", from)} AND offset < ${params.bind("UInt64", to)}`;

export interface RecordedSources extends RankedSpan {
  /** Broker times, ms. */
  readonly since: number;
  readonly until: number;
}

/** Returns at most `most` data sources of which messages with these offsets and times have detections. */
export async function sourcesIn(
  client: QueryClient,
  { since, until, ...span }: RecordedSources,
  most: number,
): Promise<string[]> {
  const params = createParams();
  const sql = `SELECT DISTINCT data_source_id FROM detections_v1
    WHERE ${isOfSpan(span, params)} AND recorded_at BETWEEN ${bindTime(params, since)} AND ${bindTime(params, until)}
    ORDER BY data_source_id LIMIT ${params.bind("UInt32", most)}`;
  const rows = await ask<{ readonly data_source_id: string }>(client, "data sources of offsets", sql, params);
  return rows.map((row) => row.data_source_id);
}

export interface WindowOffsets {
  /** Offsets as the history has them; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly recordedFrom: number;
  readonly recordedTo: number;
}

/**
 * Returns the offsets of the messages with the detections in the window, among those that the partition has from
 * `since` on.
 */
export async function windowOffsets(
  client: QueryClient,
  window: SourcesWindow,
  { partition, since }: { readonly partition: number; readonly since: number },
): Promise<WindowOffsets | undefined> {
  const params = createParams();
  const sql = `SELECT min(offset) AS first, max(offset) AS last, ${EXTENT} FROM detections_v1 FINAL
    WHERE ${isIn(window, params)} AND partition = ${params.bind("UInt16", partition)}
      AND offset >= ${params.bind("UInt64", since)} HAVING count() > 0`;
  const [row] = await ask<ExtentRow & { readonly first: string; readonly last: string }>(
    client,
    "offsets of a window",
    sql,
    params,
  );
  if (row === undefined) return undefined;
  const { recordedFrom, recordedTo } = extentOf(row);
  return { from: Number(row.first), to: Number(row.last) + 1, recordedFrom, recordedTo };
}

/** Event times by the hour, ms: there are detections from the hour `from` on, and none from `to` on. */
export interface SeenHours {
  readonly from: number;
  readonly to: number;
}

/** @returns undefined when the data sources have no detection. */
export async function seenHours(client: QueryClient, dataSourceIds: readonly string[]): Promise<SeenHours | undefined> {
  const params = createParams();
  const sql = `SELECT min(hour) AS first, max(hour) AS last FROM detections_per_hour_v1
    WHERE data_source_id IN ${params.bindList("String", dataSourceIds)} HAVING count() > 0`;
  const [row] = await ask<{ readonly first: number; readonly last: number }>(client, "seen hours", sql, params);
  return row && { from: Number(row.first) * HOUR_MS, to: (Number(row.last) + 1) * HOUR_MS };
}
