// The headers of tracks for replays.
import { bindTime } from "../../filters/sql/sql.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

export interface StoredHeader {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly startTime: number;
  readonly endTime: number | null;
  readonly lastAt: number;
}

interface HeaderRow {
  readonly track_id: string;
  readonly data_source_id: string;
  readonly tag: string;
  readonly start: string;
  readonly ended: string | null;
  readonly last: string;
}

const HEADER = `track_id, data_source_id, tag, toUnixTimestamp64Milli(start_time) AS start,
    toUnixTimestamp64Milli(end_time) AS ended, toUnixTimestamp64Milli(assumeNotNull(last_detection_at)) AS last`;

/** The headers of tracks that have a detection. */
export async function trackHeadersOf(
  client: QueryClient,
  dataSourceIds: readonly string[],
  trackIds: readonly string[],
): Promise<StoredHeader[]> {
  const params = createParams();
  const sql = `SELECT ${HEADER} FROM tracks_current_v1
    WHERE data_source_id IN ${params.bindList("String", dataSourceIds)}
      AND track_id IN ${params.bindList("String", trackIds)} AND last_detection_at IS NOT NULL`;
  return (await ask<HeaderRow>(client, "headers of tracks", sql, params)).map(headerOf);
}

export interface EarlierTracks {
  readonly dataSourceIds: readonly string[];
  /** Broker times: the tracks are older than `before`, and have a detection from then up to `until`. */
  readonly before: number;
  readonly until: number;
}

/**
 * The maximum number of tracks that are returned: more than cameras see at a time. It bounds the memory of a session.
 */
export const MOST_EARLIER_TRACKS = 20_000;

/** The headers of tracks that were created before a time and seen after it. */
export async function headersFromBefore(
  client: QueryClient,
  { dataSourceIds, before, until }: EarlierTracks,
): Promise<StoredHeader[]> {
  const params = createParams();
  const sources = `data_source_id IN ${params.bindList("String", dataSourceIds)}`;
  const since = bindTime(params, before);
  const sql = `SELECT ${HEADER} FROM tracks_current_v1
    WHERE ${sources} AND created_at < ${since} AND tag != '' AND last_detection_at IS NOT NULL
      AND (data_source_id, track_id) IN (SELECT data_source_id, track_id FROM detections_v1
        WHERE ${sources} AND recorded_at BETWEEN ${since} AND ${bindTime(params, until)})
    ORDER BY data_source_id, track_id LIMIT ${params.bind("UInt32", MOST_EARLIER_TRACKS)}`;
  return (await ask<HeaderRow>(client, "headers from before", sql, params)).map(headerOf);
}

const headerOf = (row: HeaderRow): StoredHeader => ({
  trackId: row.track_id,
  dataSourceId: row.data_source_id,
  tag: row.tag,
  startTime: Number(row.start),
  endTime: row.ended === null ? null : Number(row.ended),
  lastAt: Number(row.last),
});
