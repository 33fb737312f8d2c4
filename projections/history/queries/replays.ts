// What a replay asks the history: when tracks were recorded, and, once the log has forgotten them, their detections.
import type { Detection } from "../../../schemas/events.ts";
import { all, any, bindTime, type Params } from "../../filters/sql/sql.ts";
import { detectionRecord, detectionSelect } from "../detections.ts";
import type { WireRow } from "../table.ts";
import { createParams } from "./params.ts";
import { type Asked, ask } from "./run.ts";
import { trackKeyOf } from "./track-refs.ts";

/** Times in ms; `recorded…` are the broker's. */
export interface TrackExtent {
  readonly trackId: string;
  readonly dataSourceId: string;
  /** Of its first message. */
  readonly recordedFrom: number;
  /** Of its last detection. */
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

/** Leaves out tracks without a detection. Of several data sources' tracks with one id, it finds the one seen last. */
export async function trackExtents(client: Asked, trackIds: readonly string[]): Promise<TrackExtent[]> {
  const headers = await headerExtents(client, trackIds);
  if (headers.length === 0) return [];
  const params = createParams();
  // Of the cameras' detections the store reads about those of the tracks' times. FINAL: a detection counts where it is first
  // in the log, and one that is sent again later would stretch its track.
  const sql = `SELECT data_source_id, track_id, ${msOf("min(timestamp)")} AS first, ${msOf("max(timestamp)")} AS last,
      ${msOf("max(recorded_at)")} AS recorded
    FROM detections_v1 FINAL
    WHERE track_id IN ${params.bindList("String", trackIds)} AND (${any(timesOf(headers, params))})
    GROUP BY data_source_id, track_id ORDER BY max(timestamp) DESC, data_source_id LIMIT 1 BY track_id`;
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

function headerExtents(client: Asked, trackIds: readonly string[]): Promise<HeaderExtent[]> {
  const params = createParams();
  const sql = `SELECT data_source_id, track_id, ${msOf("min(created_at)")} AS created,
      ${msOf("assumeNotNull(min(first_detection_at))")} AS first, ${msOf("assumeNotNull(max(last_detection_at))")} AS last
    FROM tracks_v1 WHERE track_id IN ${params.bindList("String", trackIds)}
    GROUP BY data_source_id, track_id HAVING max(last_detection_at) IS NOT NULL`;
  return ask<HeaderExtent>(client, "headers of extents", sql, params);
}

/** A condition for each stretch of time in which a camera saw some of the tracks. */
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

export interface BesideAsked {
  readonly dataSourceId: string;
  /** Broker times: it looks back no further than `since`. */
  readonly since: number;
  readonly at: number;
  /** Broker time at which the last of the asked tracks has ended. */
  readonly until: number;
}

/** When the first of the data source's tracks was made that were there at `at`. */
export async function earliestBeside(client: Asked, { dataSourceId, since, at, until }: BesideAsked): Promise<number> {
  const params = createParams();
  const source = params.bind("String", dataSourceId);
  // A track without a detection in that time is seen by nobody: the camera's other tracks are not read.
  const sql = `SELECT min(created) AS earliest FROM (
      SELECT ${msOf("min(created_at)")} AS created, ${msOf("max(updated_at)")} AS updated
      FROM tracks_v1 WHERE data_source_id = ${source} AND track_id IN (
        SELECT track_id FROM detections_v1 WHERE data_source_id = ${source}
          AND recorded_at BETWEEN ${bindTime(params, since)} AND ${bindTime(params, until)}
      ) GROUP BY track_id
      HAVING created >= ${params.bind("Int64", since)} AND created < ${params.bind("Int64", at)} AND updated >= ${params.bind("Int64", at)}
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

/** All detections of some cameras in a time range. */
export interface Window {
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

/** Where the window's detections are in the log, of those recorded at `recordedFrom` or later; undefined = there are none. */
export async function offsetsOf(client: Asked, window: Window, recordedFrom: number): Promise<Offsets | undefined> {
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

export interface PortionAsked extends Window {
  /** The store reads about what lies between them, so they bound its work. */
  readonly offsets: Offsets;
  /** The last one of the portion before, if the offsets begin with its message. */
  readonly after: Pick<StoredDetection, "offset" | "item"> | undefined;
  readonly limit: number;
  /** About how much they take in memory; there is one at least. */
  readonly bytes: number;
}

export interface Portion {
  readonly detections: readonly StoredDetection[];
  /** There may be more between these offsets. */
  readonly isCut: boolean;
}

type StoredRow = WireRow & { readonly partition: number; readonly offset: string; readonly item: number };
type PortionRow = StoredRow & { readonly held: string };

/** In the order of the log. */
export async function detectionsInOrder(client: Asked, asked: PortionAsked): Promise<Portion> {
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

const within = (params: Params, { dataSourceIds, from, to }: Window): string =>
  `data_source_id IN ${params.bind("Array(String)", dataSourceIds)}
    AND timestamp BETWEEN ${bindTime(params, from)} AND ${bindTime(params, to)}`;

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

/** Of tracks with a detection. */
export async function headersOf(
  client: Asked,
  dataSourceIds: readonly string[],
  trackIds: readonly string[],
): Promise<StoredHeader[]> {
  const params = createParams();
  const sql = `SELECT track_id, data_source_id, tag, toUnixTimestamp64Milli(start_time) AS start,
      toUnixTimestamp64Milli(end_time) AS ended, toUnixTimestamp64Milli(assumeNotNull(last_detection_at)) AS last
    FROM tracks_current_v1
    WHERE data_source_id IN ${params.bind("Array(String)", dataSourceIds)}
      AND track_id IN ${params.bindList("String", trackIds)} AND last_detection_at IS NOT NULL`;
  const rows = await ask<HeaderRow>(client, "headers of tracks", sql, params);
  return rows.map((row) => ({
    trackId: row.track_id,
    dataSourceId: row.data_source_id,
    tag: row.tag,
    startTime: Number(row.start),
    endTime: row.ended === null ? null : Number(row.ended),
    lastAt: Number(row.last),
  }));
}
