import type { FilterTrackInput, TracksSort } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { all, bindTime, type Params } from "../../filters/sql/sql.ts";
import { trackFields } from "../../filters/tracks.ts";
import type { WireRow } from "../table.ts";
import { trackRecord, trackSelect, tracksTable } from "../tracks.ts";
import { unsettledTable } from "../unsettled.ts";
import { type KeyColumn, sortKey } from "./keyset.ts";
import { type Kind, page } from "./page.ts";
import { createParams } from "./params.ts";
import type { History, Page, PageRequest, TrackRecord, TrackRef } from "./records.ts";
import { type Asked, ask, askCount } from "./run.ts";
import {
  among,
  amongInOrder,
  isOfUnsettled,
  OWN_START,
  rowCondition,
  seenScope,
  startRange,
  TRACK_KEY,
  unsettledCondition,
} from "./track-candidates.ts";
import { isOfTracks } from "./track-refs.ts";

/** Closed; milliseconds. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;
/** Far enough for every timestamp that a log can hold. */
const END_OF_TIME_MS = 253_402_300_799_999;

const FEW_UNSETTLED = 5_000;

/** A track without a detection was seen when it began. */
const LAST_SEEN = "ifNull(last_detection_at, start_time) DESC";

const id: KeyColumn = { sql: "track_id", type: "String" };
const startTime: KeyColumn = { sql: "start_time", type: "time" };
const dataSourceId: KeyColumn = { sql: "data_source_id", type: "String" };

const tracks: Kind<TrackRecord> = {
  name: "tracks page",
  from: "tracks_current_v1",
  select: trackSelect,
  toRecord: trackRecord,
  keyOf: (track, column) =>
    column === "start_time" ? track.startTime : column === "track_id" ? track.trackId : track.dataSourceId,
};

/** The window of the root field `track`: 24 h around `timestamp`; without it, less than 24 h ago. */
export function trackWindow(timestamp: number | null | undefined, now: number): Window {
  if (timestamp === null || timestamp === undefined) return { from: now - DAY_MS + 1, to: END_OF_TIME_MS };
  return { from: timestamp - DAY_MS, to: timestamp + DAY_MS };
}

/** The track, if the time from its start to its last known instant touches the window. Of several, the one seen last. */
export async function trackById(client: Asked, trackId: string, window?: Window): Promise<TrackRecord | undefined> {
  const params = createParams();
  const conditions = [`track_id = ${params.bind("String", trackId)}`];
  if (window !== undefined) {
    conditions.push(
      `start_time <= ${bindTime(params, window.to)}`,
      `greatest(ifNull(end_time, start_time), ifNull(last_detection_at, start_time)) >= ${bindTime(params, window.from)}`,
    );
  }
  const sql = `SELECT ${tracks.select} FROM ${tracks.from} WHERE ${all(conditions)}
    ORDER BY ${LAST_SEEN}, data_source_id LIMIT 1`;
  const [row] = await ask<WireRow>(client, "track by id", sql, params);
  return row === undefined ? undefined : tracks.toRecord(row);
}

/** In no particular order; unknown ids are left out. Of tracks with one id, the one that was seen last. */
export async function tracksByIds(client: Asked, trackIds: readonly string[]): Promise<TrackRecord[]> {
  if (trackIds.length === 0) return [];
  const params = createParams();
  const sql = `SELECT ${tracks.select} FROM ${tracks.from}
    WHERE track_id IN ${params.bindList("String", trackIds)}
    ORDER BY ${LAST_SEEN}, data_source_id LIMIT 1 BY track_id`;
  return (await ask<WireRow>(client, "tracks by ids", sql, params)).map(tracks.toRecord);
}

/** In no particular order; unknown ones are left out. */
export async function tracksOf(client: Asked, refs: readonly TrackRef[]): Promise<TrackRecord[]> {
  if (refs.length === 0) return [];
  const params = createParams();
  const sql = `SELECT ${tracks.select} FROM ${tracks.from} WHERE ${all(isOfTracks(params, refs))}`;
  return (await ask<WireRow>(client, "tracks of data sources", sql, params)).map(tracks.toRecord);
}

export async function tracksPage(
  { client, dataSourceIds }: History,
  request: PageRequest<FilterTrackInput, TracksSort>,
): Promise<Page<TrackRecord>> {
  const { filter } = request;
  const key = sortKey(request.sort, { ID: id, TRACK_START_TIME: startTime }, [id, dataSourceId]);
  const isByStart =
    key[0]?.sql === startTime.sql && !(isOfUnsettled(filter) && (await areFewUnsettled(client, filter)));
  const narrow = (params: Params) => {
    if (!isByStart) return { columns: TRACK_KEY, among: among(params, filter) };
    const ofRows = [rowCondition(params, filter, startRange(filter))];
    const keys = isOfUnsettled(filter) ? amongInOrder(params, filter) : undefined;
    if (keys !== undefined) ofRows.push(keys);
    const index = { table: tracksTable.name, lead: OWN_START, condition: all(ofRows) };
    return { columns: TRACK_KEY, index, among: among(params, filter) };
  };
  return page(client, { ...tracks, narrow }, request, key, (params, asked) =>
    compile(trackFields, asked, { params, dataSourceIds, scope: seenScope(params, asked) }),
  );
}

/** A few are found by their keys. If there are many, a walk through the starts soon meets enough for a page. */
async function areFewUnsettled(client: Asked, filter: FilterTrackInput): Promise<boolean> {
  const params = createParams();
  const condition = unsettledCondition(params, filter);
  return (await askCount(client, "unsettled tracks", unsettledTable.name, condition, params)) < FEW_UNSETTLED;
}

export function tracksCount({ client, dataSourceIds }: History, filter: FilterTrackInput): Promise<number> {
  const params = createParams();
  const conditions = [compile(trackFields, filter, { params, dataSourceIds, scope: seenScope(params, filter) })];
  const narrower = among(params, filter);
  if (narrower !== undefined) conditions.push(narrower);
  return askCount(client, "tracks count", tracks.from, all(conditions), params);
}
