// The queries for live state at a moment: which tracks there were, and from when on the log must be folded. Times are
// broker times in ms, unless their name says otherwise.
import { bindTime } from "../../filters/sql/sql.ts";
import { createParams } from "./params.ts";
import type { TrackRef } from "./records.ts";
import { ask, type QueryClient } from "./run.ts";

/** A track that had a detection in a range of time. */
export interface MomentTrack {
  readonly dataSourceId: string;
  /** Time of the track's first message. */
  readonly createdAt: number;
  /** Event time of its newest detection in the range. */
  readonly lastSeen: number;
}

/** Both inclusive. */
export interface RecordedRange {
  readonly since: number;
  readonly at: number;
}

/** The maximum number of data sources in which an id is looked for: many cameras may count their tracks from 1. */
const MOST_SOURCES = 10_000;
/** A stretch is looked for in this time only. */
const LONGEST_STRETCH_MS = 7 * 24 * 3_600_000;

const msOf = (time: string): string => `toUnixTimestamp64Milli(${time})`;

/** Returns the tracks with this id that have a detection in the range, one for each data source. */
export async function tracksInRange(
  client: QueryClient,
  trackId: string,
  { since, at }: RecordedRange,
): Promise<MomentTrack[]> {
  const created = await createdUntil(client, trackId, at);
  if (created.size === 0) return [];
  const params = createParams();
  const sql = `SELECT data_source_id, ${msOf("max(timestamp)")} AS seen FROM detections_v1
    WHERE data_source_id IN ${params.bindList("String", [...created.keys()])}
      AND track_id = ${params.bind("String", trackId)}
      AND recorded_at BETWEEN ${bindTime(params, since)} AND ${bindTime(params, at)}
    GROUP BY data_source_id`;
  const rows = await ask<{ readonly data_source_id: string; readonly seen: string }>(
    client,
    "tracks at a moment",
    sql,
    params,
  );
  return rows.flatMap(({ data_source_id: dataSourceId, seen }) => {
    const createdAt = created.get(dataSourceId);
    return createdAt === undefined ? [] : { dataSourceId, createdAt, lastSeen: Number(seen) };
  });
}

/** Returns the time of the first message of each track with this id, by data source. */
async function createdUntil(client: QueryClient, trackId: string, at: number): Promise<Map<string, number>> {
  const params = createParams();
  const sql = `SELECT data_source_id, ${msOf("min(created_at)")} AS created FROM tracks_v1
    WHERE track_id = ${params.bind("String", trackId)}
    GROUP BY data_source_id HAVING created <= ${params.bind("Int64", at)}
    ORDER BY data_source_id LIMIT ${params.bind("UInt32", MOST_SOURCES)}`;
  const rows = await ask<{ readonly data_source_id: string; readonly created: string }>(
    client,
    "tracks with an id",
    sql,
    params,
  );
  return new Map(rows.map(({ data_source_id: dataSourceId, created }) => [dataSourceId, Number(created)]));
}

export interface StretchRequest {
  readonly at: number;
  readonly trackTtlMs: number;
  /** Detections that are this much newer than all others of the track may still be held. */
  readonly reorderMs: number;
}

/**
 * Returns the time at which the first detection of the track's stretch at `at` was recorded: the detections after the
 * last gap in event time of more than `trackTtlMs`.
 */
export async function stretchBegin(
  client: QueryClient,
  { dataSourceId, trackId }: TrackRef,
  { at, trackTtlMs, reorderMs }: StretchRequest,
): Promise<number | undefined> {
  const params = createParams();
  const detections = `FROM detections_v1 WHERE data_source_id = ${params.bind("String", dataSourceId)}
    AND track_id = ${params.bind("String", trackId)}
    AND recorded_at BETWEEN ${bindTime(params, at - LONGEST_STRETCH_MS)} AND ${bindTime(params, at)}`;
  const sql = `SELECT ${msOf("min(recorded_at)")} AS begun ${detections} AND ${msOf("timestamp")} >= (
      SELECT max(ms) FROM (
        SELECT ms, row_number() OVER in_order AS place, lagInFrame(ms) OVER in_order AS before, max(ms) OVER () AS newest
        FROM (SELECT ${msOf("timestamp")} AS ms ${detections})
        WINDOW in_order AS (ORDER BY ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      ) WHERE place = 1 OR (ms - before > ${params.bind("Int64", trackTtlMs)}
        AND ms <= newest - ${params.bind("Int64", reorderMs)})
    ) HAVING count() > 0`;
  const [row] = await ask<{ readonly begun: string }>(client, "beginning of a stretch", sql, params);
  return row && Number(row.begun);
}

export interface PresentTracks extends RecordedRange {
  readonly dataSourceId: string;
  /** Tracks with a detection since this time are present at `at`. */
  readonly seenSince: number;
}

/**
 * Returns the time at which the oldest track that is present was created, or `since` when that is later.
 * @returns undefined when no track is present.
 */
export async function earliestPresent(
  client: QueryClient,
  { dataSourceId, since, seenSince, at }: PresentTracks,
): Promise<number | undefined> {
  const params = createParams();
  const source = `data_source_id = ${params.bind("String", dataSourceId)}`;
  const sql = `SELECT greatest(${msOf("min(created_at)")}, ${params.bind("Int64", since)}) AS earliest FROM tracks_v1
    WHERE ${source} AND track_id IN (SELECT track_id FROM detections_v1 WHERE ${source}
      AND recorded_at BETWEEN ${bindTime(params, seenSince)} AND ${bindTime(params, at)})
    HAVING count() > 0`;
  const [row] = await ask<{ readonly earliest: string }>(client, "earliest present track", sql, params);
  return row && Number(row.earliest);
}

/** The newest change of an intersection with a zone. */
export interface ZoneVisit {
  readonly trackId: string;
  readonly tag: string;
  /** Event times: that of the entry, and that of the exit or of the newest detection inside. */
  readonly enteredAt: number;
  readonly lastAt: number;
  readonly recordedAt: number;
}

export async function lastVisit(
  client: QueryClient,
  { zoneId, dataSourceId, at }: { readonly zoneId: string; readonly dataSourceId: string; readonly at: number },
): Promise<ZoneVisit | undefined> {
  const params = createParams();
  // FINAL would hide an intersection that changed again after the moment.
  const sql = `SELECT track_id, tag, ${msOf("start_time")} AS entered, ${msOf("ifNull(end_time, last_inside)")} AS last,
      ${msOf("recorded_at")} AS recorded
    FROM zone_intersections_v1 WHERE zone_id = ${params.bind("String", zoneId)}
      AND data_source_id = ${params.bind("String", dataSourceId)} AND recorded_at <= ${bindTime(params, at)}
    ORDER BY recorded_at DESC, cause_offset DESC, cause_item DESC LIMIT 1`;
  const [row] = await ask<Readonly<Record<"track_id" | "tag" | "entered" | "last" | "recorded", string>>>(
    client,
    "last visit of a zone",
    sql,
    params,
  );
  if (row === undefined) return undefined;
  const { track_id: trackId, tag, entered, last, recorded } = row;
  return { trackId, tag, enteredAt: Number(entered), lastAt: Number(last), recordedAt: Number(recorded) };
}

/** Returns the time at which a detection was recorded. */
export async function recordedAtOf(
  client: QueryClient,
  { dataSourceId, trackId }: TrackRef,
  timestamp: number,
): Promise<number | undefined> {
  const params = createParams();
  const sql = `SELECT ${msOf("min(recorded_at)")} AS recorded FROM detections_v1
    WHERE data_source_id = ${params.bind("String", dataSourceId)} AND timestamp = ${bindTime(params, timestamp)}
      AND track_id = ${params.bind("String", trackId)} HAVING count() > 0`;
  const [row] = await ask<{ readonly recorded: string }>(client, "time of a detection", sql, params);
  return row && Number(row.recorded);
}

/** Returns the event times of the first and last detection of a data source in the range. */
export async function eventTimesIn(
  client: QueryClient,
  dataSourceId: string,
  { since, at }: RecordedRange,
): Promise<{ readonly from: number; readonly to: number } | undefined> {
  const params = createParams();
  const sql = `SELECT ${msOf("min(timestamp)")} AS first, ${msOf("max(timestamp)")} AS last FROM detections_v1
    WHERE data_source_id = ${params.bind("String", dataSourceId)}
      AND recorded_at BETWEEN ${bindTime(params, since)} AND ${bindTime(params, at)} HAVING count() > 0`;
  const [row] = await ask<Readonly<Record<"first" | "last", string>>>(client, "event times of a range", sql, params);
  return row && { from: Number(row.first), to: Number(row.last) };
}
