import type { DetectionFilter, DetectionOrder, TrackDetectionFilter } from "../../../schemas/filters.ts";
import { HOUR_MS } from "../../../schemas/units.ts";
import { compile } from "../../filters/compile.ts";
import { detectionFields } from "../../filters/detections.ts";
import { all, given } from "../../filters/sql/sql.ts";
import { detectionRecord, detectionSelect, detectionsTable } from "../detections.ts";
import { detectionsPerHourTable } from "../detections-per-hour.ts";
import type { WireRow } from "../table.ts";
import { type KeyColumn, orderBy, sortKey } from "./keyset.ts";
import { type PageKind, page } from "./page.ts";
import { createParams } from "./params.ts";
import type { DetectionRecord, History, Page, PageRequest, TrackRef } from "./records.ts";
import { ask, askCount } from "./run.ts";
import { isOfTracks, isSeen, trackKeyOf } from "./track-refs.ts";

export interface TrackDetectionsRequest {
  readonly tracks: readonly TrackRef[];
  readonly filter?: TrackDetectionFilter | null | undefined;
  /** The maximum number of detections per track; all when absent. */
  readonly first?: number | null | undefined;
  readonly sort: readonly DetectionOrder[];
}

const SHORT_MS = 900_000;

const timestamp: KeyColumn = { sql: "timestamp", type: "time" };
const trackId: KeyColumn = { sql: "track_id", type: "String" };
const dataSourceId: KeyColumn = { sql: "data_source_id", type: "String" };
const columns = { DETECTION_TIME: timestamp, GLOBAL_TRACK_ID: trackId, TRACK_ID: trackId };
const identity = [timestamp, trackId, dataSourceId];

const detections: PageKind<DetectionRecord> = {
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
  request: PageRequest<DetectionFilter, DetectionOrder>,
): Promise<Page<DetectionRecord>> {
  const key = sortKey(request.sort, columns, identity);
  const kind = isShort(request.filter) ? { ...detections, narrow: undefined } : detections;
  return page(client, kind, request, key, (params, filter) =>
    compile(detectionFields, filter, { params, dataSourceIds, tracks: seenTracks(filter) }),
  );
}

/**
 * Selects the tracks that were seen in the hours of the filter's time.
 * @returns undefined when the filter sets no such time.
 */
function seenTracks({ time, and }: DetectionFilter): string | undefined {
  const [from, to] = given(time?.eq) ? [time.eq, time.eq] : (time?.between ?? []);
  if (from === undefined || to === undefined) return and?.map(seenTracks).find(given);
  const [first, last] = [from, to].map((ms) => Math.floor(ms / HOUR_MS));
  return `SELECT data_source_id, track_id FROM ${detectionsPerHourTable.name} WHERE hour BETWEEN ${first} AND ${last}`;
}

/**
 * @returns true when the filter has a condition on positions and a time of at most SHORT_MS. Testing positions then
 * costs most of the read. So testing them once is cheaper than also finding the reach of the page, which tests them
 * twice.
 */
function isShort({ time, position }: DetectionFilter): boolean {
  const [from, to] = time?.between ?? [];
  return given(position) && from !== undefined && to !== undefined && to - from <= SHORT_MS;
}

export function detectionsCount({ client, dataSourceIds }: History, filter: DetectionFilter): Promise<number> {
  const params = createParams();
  const condition = compile(detectionFields, filter, { params, dataSourceIds, tracks: seenTracks(filter) });
  return askCount(client, "detections count", detections.from, condition, params);
}

/** One query for many tracks. The answer has one list per track, in the given order. */
export async function detectionsOfTracks(
  { client, dataSourceIds }: History,
  { tracks, filter, first, sort }: TrackDetectionsRequest,
): Promise<DetectionRecord[][]> {
  if (tracks.length === 0) return [];
  const params = createParams();
  const scope = [...isOfTracks(params, tracks), ...isSeen(params, "timestamp", tracks)];
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
