import type { DetectionsSort, FilterDetectionInput, FilterTrackDetectionInput } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { detectionFields } from "../../filters/detections.ts";
import { all, bindTime, given, type Params } from "../../filters/sql/sql.ts";
import { detectionRecord, detectionSelect, detectionsTable } from "../detections.ts";
import type { WireRow } from "../table.ts";
import { type KeyColumn, orderBy, sortKey } from "./keyset.ts";
import { type Kind, page } from "./page.ts";
import { createParams } from "./params.ts";
import type { DetectionRecord, History, Page, PageRequest, TrackRef } from "./records.ts";
import { ask, askCount } from "./run.ts";
import { isOfTracks, trackKeyOf } from "./track-refs.ts";

export interface TrackDetectionsRequest {
  readonly tracks: readonly TrackRef[];
  readonly filter?: FilterTrackDetectionInput | null | undefined;
  /** At most this many per track; all if it is absent. */
  readonly first?: number | null | undefined;
  readonly sort: readonly DetectionsSort[];
}

const SHORT_MS = 900_000;

const timestamp: KeyColumn = { sql: "timestamp", type: "time" };
const trackId: KeyColumn = { sql: "track_id", type: "String" };
const dataSourceId: KeyColumn = { sql: "data_source_id", type: "String" };
const columns = { DETECTION_TIME: timestamp, GLOBAL_TRACK_ID: trackId, TRACK_ID: trackId };
const identity = [timestamp, trackId, dataSourceId];

const detections: Kind<DetectionRecord> = {
  name: "detections page",
  from: `${detectionsTable.name} FINAL`,
  narrow: () => ({ table: detectionsTable.name }),
  select: detectionSelect,
  toRecord: detectionRecord,
  keyOf: (detection, column) =>
    column === "timestamp" ? detection.timestamp : column === "track_id" ? detection.trackId : detection.dataSourceId,
};

export function detectionsPage(
  { client, dataSourceIds }: History,
  request: PageRequest<FilterDetectionInput, DetectionsSort>,
): Promise<Page<DetectionRecord>> {
  const key = sortKey(request.sort, columns, identity);
  const kind = isShort(request.filter) ? { ...detections, narrow: undefined } : detections;
  return page(client, kind, request, key, (params, filter) =>
    compile(detectionFields, filter, { params, dataSourceIds }),
  );
}

/** In so short a time, looking for places costs most of the read: once is cheaper than also for the page's reach. */
function isShort({ time, position }: FilterDetectionInput): boolean {
  const [from, to] = time?.between ?? [];
  return given(position) && from !== undefined && to !== undefined && to - from <= SHORT_MS;
}

export function detectionsCount({ client, dataSourceIds }: History, filter: FilterDetectionInput): Promise<number> {
  const params = createParams();
  const condition = compile(detectionFields, filter, { params, dataSourceIds });
  return askCount(client, "detections count", detections.from, condition, params);
}

/** One query for many tracks; the answer has one list per asked track, in the order asked. */
export async function detectionsOfTracks(
  { client, dataSourceIds }: History,
  { tracks, filter, first, sort }: TrackDetectionsRequest,
): Promise<DetectionRecord[][]> {
  if (tracks.length === 0) return [];
  const params = createParams();
  const scope = ofTracks(params, tracks);
  const conditions = [...scope];
  if (given(filter)) conditions.push(compile(detectionFields, filter, { params, dataSourceIds, scope }));
  const limit = given(first) ? `LIMIT ${params.bind("UInt32", first)} BY data_source_id, track_id` : "";
  const sql = `SELECT ${detections.select} FROM ${detections.from} WHERE ${all(conditions)}
    ORDER BY ${orderBy(sortKey(sort, columns, identity))} ${limit}`;
  const rows = await ask<WireRow>(client, "detections of tracks", sql, params);

  const lists = new Map<string, DetectionRecord[]>(tracks.map((track) => [trackKeyOf(track), []]));
  for (const row of rows) {
    const record = detections.toRecord(row);
    lists.get(trackKeyOf(record))?.push(record);
  }
  return tracks.map((track) => lists.get(trackKeyOf(track)) ?? []);
}

/** Key conditions for the tracks' detections: cameras, ids, and the time range if it is known of all tracks. */
function ofTracks(params: Params, tracks: readonly TrackRef[]): string[] {
  const conditions = isOfTracks(params, tracks);
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { firstDetectionAt, lastDetectionAt } of tracks) {
    if (!given(firstDetectionAt) || !given(lastDetectionAt)) return conditions;
    from = Math.min(from, firstDetectionAt);
    to = Math.max(to, lastDetectionAt);
  }
  conditions.push(`timestamp >= ${bindTime(params, from)}`, `timestamp <= ${bindTime(params, to)}`);
  return conditions;
}
