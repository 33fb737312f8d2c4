// The queries of replays: the times at which tracks were recorded, and their detections once the log no longer has
// them.
import type { Detection } from "../../../schemas/events.ts";
import { all, any, bindTime, type Params } from "../../filters/sql/sql.ts";
import { seenLastFirst } from "../../track/seen-last.ts";
import { detectionRecord, detectionSelect } from "../detections.ts";
import type { WireRow } from "../table.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";
import { trackKeyOf } from "./track-refs.ts";

/** The times of a track in ms. Those named `recorded...` are broker times, the others event times. */
export interface TrackExtent {
  readonly trackId: string;
  readonly dataSourceId: string;
  /** Time of the track's first message. */
  readonly recordedFrom: number;
  /** Time of the track's last detection. */
  readonly recordedTo: number;
  readonly eventFrom: number;
  readonly eventTo: number;
}

interface HeaderExtent {
  readonly data_source_id: string;
  readonly track_id: string;
  readonly created: string;
  readonly first: string;
  readonly last: string;
}

interface SeenExtent extends Omit<HeaderExtent, "created"> {
  readonly recorded: string;
}

/**
 * Returns the extents of tracks. Tracks without a detection are left out. When several data sources have a track with
 * one id, the one seen last is returned.
 */
export async function trackExtents(client: QueryClient, trackIds: readonly string[]): Promise<TrackExtent[]> {
  const headers = await headerExtents(client, trackIds);
  if (headers.length === 0) return [];
  const params = createParams();
  // Because of the tracks' times, ClickHouse reads few other detections of the cameras. FINAL is needed because only
  // the first record of a detection counts: a detection that was sent again later would lengthen its track.
  const sql = `SELECT data_source_id, track_id, ${msOf("min(timestamp)")} AS first, ${msOf("max(timestamp)")} AS last,
      ${msOf("max(recorded_at)")} AS recorded
    FROM detections_v1 FINAL
    WHERE track_id IN ${params.bindList("String", trackIds)} AND (${any(timesOf(headers, params))})
    GROUP BY data_source_id, track_id ORDER BY ${seenLastFirst("max(timestamp)")} LIMIT 1 BY track_id`;
  const rows = await ask<SeenExtent>(client, "extents of tracks", sql, params);
  const created = new Map(headers.map((header) => [keyOf(header), Number(header.created)]));
  return rows.flatMap((row) => {
    const recordedFrom = created.get(keyOf(row));
    if (recordedFrom === undefined) return [];
    return {
      trackId: row.track_id,
      dataSourceId: row.data_source_id,
      recordedFrom,
      recordedTo: Number(row.recorded),
      eventFrom: Number(row.first),
      eventTo: Number(row.last),
    };
  });
}

const msOf = (time: string): string => `toUnixTimestamp64Milli(${time})`;

const keyOf = ({
  data_source_id: dataSourceId,
  track_id: trackId,
}: Pick<HeaderExtent, "data_source_id" | "track_id">) => trackKeyOf({ dataSourceId, trackId });

function headerExtents(client: QueryClient, trackIds: readonly string[]): Promise<HeaderExtent[]> {
  const params = createParams();
  const sql = `SELECT data_source_id, track_id, ${msOf("min(created_at)")} AS created,
      ${msOf("assumeNotNull(min(first_detection_at))")} AS first, ${msOf("assumeNotNull(max(last_detection_at))")} AS last
    FROM tracks_v1 WHERE track_id IN ${params.bindList("String", trackIds)}
    GROUP BY data_source_id, track_id HAVING max(last_detection_at) IS NOT NULL`;
  return ask<HeaderExtent>(client, "headers of extents", sql, params);
}

/** Returns a condition for each range of time in which a camera saw some of the tracks. */
function timesOf(headers: readonly HeaderExtent[], params: Params): string[] {
  const stretches: { readonly source: string; readonly from: number; to: number }[] = [];
  const byTime = headers
    .map(({ data_source_id: source, first, last }) => ({ source, from: Number(first), to: Number(last) }))
    .sort((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : a.from - b.from));
  for (const next of byTime) {
    const last = stretches.at(-1);
    if (last?.source === next.source && next.from <= last.to) last.to = Math.max(last.to, next.to);
    else stretches.push(next);
  }
  return stretches.map(({ source, from, to }) =>
    all([
      `data_source_id = ${params.bind("String", source)}`,
      `timestamp BETWEEN ${bindTime(params, from)} AND ${bindTime(params, to)}`,
    ]),
  );
}

export interface NeighbourRequest {
  readonly dataSourceIds: readonly string[];
  /** Broker times, ms: the earliest time that may be returned, and the time at which the track must exist. */
  readonly since: number;
  readonly at: number;
  /** Broker time, ms, at which the last of the requested tracks has ended. */
  readonly until: number;
}

/**
 * Returns the broker time at which the oldest of those tracks of the data sources was created that existed at `at`;
 * `since` when that track is older, `at` when there is no such track.
 */
export async function earliestBeside(
  client: QueryClient,
  { dataSourceIds, since, at, until }: NeighbourRequest,
): Promise<number> {
  const params = createParams();
  const isOfSources = `data_source_id IN ${params.bindList("String", dataSourceIds)}`;
  // A track without a detection between `since` and `until` has no influence, so the cameras' other tracks are not
  // read.
  const sql = `SELECT min(created) AS earliest FROM (
      SELECT greatest(${msOf("min(created_at)")}, ${params.bind("Int64", since)}) AS created, ${msOf("max(updated_at)")} AS updated
      FROM tracks_v1 WHERE ${isOfSources} AND (data_source_id, track_id) IN (
        SELECT data_source_id, track_id FROM detections_v1 WHERE ${isOfSources}
          AND recorded_at BETWEEN ${bindTime(params, since)} AND ${bindTime(params, until)}
      ) GROUP BY data_source_id, track_id
      HAVING created < ${params.bind("Int64", at)} AND updated >= ${params.bind("Int64", at)}
    ) HAVING count() > 0`;
  const [row] = await ask<{ readonly earliest: string }>(client, "earliest track beside", sql, params);
  return row === undefined ? at : Number(row.earliest);
}

export interface StoredDetection {
  readonly dataSourceId: string;
  readonly detection: Detection;
  readonly partition: number;
  readonly offset: number;
  readonly item: number;
  readonly recordedAt: number;
}

/** Selects all detections of some cameras in a time range. */
export interface RecordingWindow {
  readonly dataSourceIds: readonly string[];
  /** Event times, both inclusive. */
  readonly from: number;
  readonly to: number;
}

/** Offsets, both inclusive. */
export interface Offsets {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the range of offsets, in the log, of the window's detections that were recorded at `recordedFrom` or later.
 */
export async function offsetsOf(
  client: QueryClient,
  window: RecordingWindow,
  recordedFrom: number,
): Promise<Offsets | undefined> {
  const params = createParams();
  const sql = `SELECT min(offset) AS first, max(offset) AS last FROM detections_v1
    WHERE ${within(params, window)} AND recorded_at >= ${bindTime(params, recordedFrom)} HAVING count() > 0`;
  const [row] = await ask<{ readonly first: string; readonly last: string }>(
    client,
    "offsets of detections",
    sql,
    params,
  );
  return row && { first: Number(row.first), last: Number(row.last) };
}

export interface PortionRequest extends RecordingWindow {
  /** The range of offsets to read. It bounds the store's work, which reads little more than the messages in it. */
  readonly offsets: Offsets;
  /** The last detection of the previous portion, when `offsets` begin with its message. */
  readonly after: Pick<StoredDetection, "offset" | "item"> | undefined;
  readonly limit: number;
  /** Approximate bound of the memory that the detections take. The answer has at least one detection. */
  readonly bytes: number;
}

export interface Portion {
  readonly detections: readonly StoredDetection[];
  /** True when there may be more detections between these offsets. */
  readonly isCut: boolean;
}

type StoredRow = WireRow & { readonly partition: number; readonly offset: string; readonly item: number };
type PortionRow = StoredRow & { readonly held: string };

/** Returns the window's detections in the order of the log. */
export async function detectionsInOrder(client: QueryClient, asked: PortionRequest): Promise<Portion> {
  const params = createParams();
  const { offsets, after, limit } = asked;
  const conditions = [
    within(params, asked),
    `offset BETWEEN ${params.bind("UInt64", offsets.first)} AND ${params.bind("UInt64", offsets.last)}`,
  ];
  if (after !== undefined) {
    conditions.push(`(offset, item) > (${params.bind("UInt64", after.offset)}, ${params.bind("UInt32", after.item)})`);
  }
  const sql = `SELECT ${detectionSelect}, partition, offset, item, held FROM (
      SELECT *, sum(1000 + ifNull(length(metadata), 0) + 16 * arraySum(ring -> length(ring), rings))
        OVER (ORDER BY offset, item ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before,
        count() OVER () AS held
      FROM (
        SELECT * FROM detections_v1 FINAL
        WHERE ${all(conditions)} ORDER BY offset, item LIMIT ${params.bind("UInt32", limit)}
      )
    )
    WHERE bytes_before < ${params.bind("UInt64", asked.bytes)} ORDER BY offset, item`;
  const rows = await ask<PortionRow>(client, "detections in order", sql, params);
  const held = Number(rows[0]?.held ?? 0);
  return { detections: rows.map(stored), isCut: rows.length < held || held === limit };
}

function stored(row: StoredRow): StoredDetection {
  const { dataSourceId, recordedAt, ...detection } = detectionRecord(row);
  const { partition, offset, item } = row;
  return { dataSourceId, detection, partition, offset: Number(offset), item, recordedAt };
}

const within = (params: Params, { dataSourceIds, from, to }: RecordingWindow): string =>
  `data_source_id IN ${params.bindList("String", dataSourceIds)}
    AND timestamp BETWEEN ${bindTime(params, from)} AND ${bindTime(params, to)}`;
