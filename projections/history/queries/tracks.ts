import type { FilterTrackInput, TracksSort } from "../../../schemas/filters.ts";
import { DAY_MS } from "../../../schemas/units.ts";
import { compile } from "../../filters/compile.ts";
import { all, bindTime, type Params } from "../../filters/sql/sql.ts";
import { trackFields } from "../../filters/tracks.ts";
import { seenLastFirst } from "../../track/seen-last.ts";
import type { WireRow } from "../table.ts";
import { trackRecord, trackSelect, tracksTable } from "../tracks.ts";
import { unsettledTable } from "../unsettled.ts";
import { type KeyColumn, sortKey } from "./keyset.ts";
import { type PageKind, page } from "./page.ts";
import { createParams } from "./params.ts";
import { ofRareTag } from "./rare-tags.ts";
import type { History, Page, PageRequest, TrackRecord, TrackRef } from "./records.ts";
import { ask, askCount, type QueryClient } from "./run.ts";
import {
  amongCandidates,
  amongInOrder,
  isOfUnsettled,
  OWN_START,
  rowCondition,
  seenScope,
  startRange,
  TRACK_KEY,
  unsettledCondition,
} from "./track-candidates.ts";
import { isOfTracks, trackKeyOf } from "./track-refs.ts";

/** A range in milliseconds that includes both ends. */
export interface TrackWindow {
  readonly from: number;
  readonly to: number;
}

/** Later than every timestamp that a log can hold. */
const END_OF_TIME_MS = 253_402_300_799_999;

const FEW_UNSETTLED = 5_000;

const SEEN_LAST_FIRST = seenLastFirst("last_detection_at");

const id: KeyColumn = { sql: "track_id", type: "String" };
const startTime: KeyColumn = { sql: "start_time", type: "time" };
const dataSourceId: KeyColumn = { sql: "data_source_id", type: "String" };

const tracks: PageKind<TrackRecord> = {
  name: "tracks page",
  from: "tracks_current_v1",
  select: trackSelect,
  toRecord: trackRecord,
  keyOf: (track, column) =>
    column === "start_time" ? track.startTime : column === "track_id" ? track.trackId : track.dataSourceId,
};

/**
 * Returns the window of the root field `track`: 24 h before and after `timestamp`; without a timestamp, the last 24 h
 * and all later time.
 */
export function trackWindow(timestamp: number | null | undefined, now: number): TrackWindow {
  if (timestamp === null || timestamp === undefined) return { from: now - DAY_MS + 1, to: END_OF_TIME_MS };
  return { from: timestamp - DAY_MS, to: timestamp + DAY_MS };
}

/**
 * Returns the track, when the time from its start to its last known instant overlaps the window. Of several tracks with
 * this id, it is the one seen last.
 */
export async function trackById(
  client: QueryClient,
  trackId: string,
  window?: TrackWindow,
): Promise<TrackRecord | undefined> {
  const params = createParams();
  const conditions = [`track_id = ${params.bind("String", trackId)}`];
  if (window !== undefined) {
    conditions.push(
      `start_time <= ${bindTime(params, window.to)}`,
      `greatest(ifNull(end_time, start_time), ifNull(last_detection_at, start_time)) >= ${bindTime(params, window.from)}`,
    );
  }
  const sql = `SELECT ${tracks.select} FROM ${tracks.from} WHERE ${all(conditions)}
    ORDER BY ${SEEN_LAST_FIRST} LIMIT 1`;
  const [row] = await ask<WireRow>(client, "track by id", sql, params);
  return row === undefined ? undefined : tracks.toRecord(row);
}

/**
 * The tracks in no particular order. Unknown ids are left out. Of tracks with one id, the one seen last is returned.
 */
export async function tracksByIds(client: QueryClient, trackIds: readonly string[]): Promise<TrackRecord[]> {
  if (trackIds.length === 0) return [];
  const params = createParams();
  const sql = `SELECT ${tracks.select} FROM ${tracks.from}
    WHERE track_id IN ${params.bindList("String", trackIds)}
    ORDER BY ${SEEN_LAST_FIRST} LIMIT 1 BY track_id`;
  return (await ask<WireRow>(client, "tracks by ids", sql, params)).map(tracks.toRecord);
}

/** The tracks in no particular order. Unknown ones are left out. */
export async function tracksOf(client: QueryClient, refs: readonly TrackRef[]): Promise<TrackRecord[]> {
  if (refs.length === 0) return [];
  const params = createParams();
  const sql = `SELECT ${tracks.select} FROM ${tracks.from} WHERE ${all(isOfTracks(params, refs))}`;
  return (await ask<WireRow>(client, "tracks of data sources", sql, params)).map(tracks.toRecord);
}

/** A track, and the broker's time of a message about it, in ms. */
export type RecordedTrackRef = TrackRef & { readonly recordedAt: number };

/** Returns the tracks of which the broker had recorded a message before the given instants, in no particular order. */
export async function tracksBefore(client: QueryClient, refs: readonly RecordedTrackRef[]): Promise<TrackRecord[]> {
  if (refs.length === 0) return [];
  const params = createParams();
  const sql = `SELECT ${tracks.select}, toUnixTimestamp64Milli(created_at) AS created_ms FROM ${tracks.from}
    WHERE ${all(isOfTracks(params, refs))}`;
  const instants = new Map(refs.map((ref) => [trackKeyOf(ref), ref.recordedAt]));
  return (await ask<WireRow>(client, "tracks before an instant", sql, params)).flatMap((row) => {
    const track = tracks.toRecord(row);
    const instant = instants.get(trackKeyOf(track));
    return instant !== undefined && Number(row["created_ms"]) < instant ? [track] : [];
  });
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
    const findAmong = () => ofRareTag(client, filter, params);
    if (!isByStart) return { columns: TRACK_KEY, among: amongCandidates(params, filter), findAmong };
    const ofRows = [rowCondition(params, filter, startRange(filter))];
    const keys = isOfUnsettled(filter) ? amongInOrder(params, filter) : undefined;
    if (keys !== undefined) ofRows.push(keys);
    const index = { table: tracksTable.name, lead: OWN_START, condition: all(ofRows) };
    return { columns: TRACK_KEY, index, among: amongCandidates(params, filter), findAmong };
  };
  return page(client, { ...tracks, narrow }, request, key, (params, asked) =>
    compile(trackFields, asked, { params, dataSourceIds, scope: seenScope(params, asked) }),
  );
}

/**
 * @returns true when there are so few unsettled tracks that finding them by their keys is cheaper. When there are many,
 * reading in the order of their starts soon finds enough for a page.
 */
async function areFewUnsettled(client: QueryClient, filter: FilterTrackInput): Promise<boolean> {
  const params = createParams();
  const condition = unsettledCondition(params, filter);
  return (await askCount(client, "unsettled tracks", unsettledTable.name, condition, params)) < FEW_UNSETTLED;
}

export async function tracksCount({ client, dataSourceIds }: History, filter: FilterTrackInput): Promise<number> {
  const params = createParams();
  const conditions = [compile(trackFields, filter, { params, dataSourceIds, scope: seenScope(params, filter) })];
  const narrower = amongCandidates(params, filter) ?? (await ofRareTag(client, filter, params));
  if (narrower !== undefined) conditions.push(narrower);
  return askCount(client, "tracks count", tracks.from, all(conditions), params);
}
