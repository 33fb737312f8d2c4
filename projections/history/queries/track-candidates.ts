// Finds the tracks of a time range by the start in each row of tracks_v1. Whether ClickHouse has merged the rows or
// not, the row that decides a track's start is among them, so no track is missed. The view then tests the tracks
// exactly.
import type { FilterTrackInput } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { all, bindTime, given, type Params } from "../../filters/sql/sql.ts";
import { trackFields } from "../../filters/tracks.ts";
import { tracksTable } from "../tracks.ts";
import { NO_END_MS, SETTLED_SPAN_MS, unsettledTable } from "../unsettled.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

/** The expression by which the table's projection is sorted. */
export const OWN_START = "if(header_start.1 > 0, header_start.2, ifNull(first_detection_at, created_at))";
export const TRACK_KEY = "data_source_id, track_id";

/** A range that includes both ends. A missing end is open. */
interface Range {
  readonly from?: number;
  readonly to?: number;
}

/** The range in which the filter's tracks start. */
export function startRange({ time, timeRange, and }: FilterTrackInput): Range {
  const ranges: Range[] = (and ?? []).map(startRange);
  if (given(time?.eq)) ranges.push({ from: time.eq, to: time.eq });
  const [from, to] = time?.between ?? [];
  if (from !== undefined && to !== undefined) ranges.push({ from, to });
  if (given(timeRange?.containedBy?.start)) ranges.push({ from: timeRange.containedBy.start });
  if (given(timeRange?.after)) ranges.push({ from: timeRange.after });
  const within = timeRange?.startingWithin;
  if (given(within?.start)) ranges.push({ from: within.start });
  for (const latest of [
    within?.end,
    timeRange?.containing?.start,
    timeRange?.intersecting?.end,
    timeRange?.containingInstant,
  ]) {
    if (given(latest)) ranges.push({ to: latest });
  }
  return ranges.reduce(intersect, {});
}

function intersect(a: Range, b: Range): Range {
  const from = Math.max(a.from ?? Number.NEGATIVE_INFINITY, b.from ?? Number.NEGATIVE_INFINITY);
  const to = Math.min(a.to ?? Number.POSITIVE_INFINITY, b.to ?? Number.POSITIVE_INFINITY);
  return { ...(from > Number.NEGATIVE_INFINITY ? { from } : {}), ...(to < Number.POSITIVE_INFINITY ? { to } : {}) };
}

/**
 * Returns a condition on the key and the start. It holds for the row of tracks_v1 that decides the start of a track
 * that fulfils the filter.
 */
export function rowCondition(params: Params, filter: FilterTrackInput, { from, to }: Range): string {
  const conditions = [keyCondition(params, filter)];
  if (from !== undefined) conditions.push(`${OWN_START} >= ${bindTime(params, from)}`);
  if (to !== undefined) conditions.push(`${OWN_START} <= ${bindTime(params, to)}`);
  return all(conditions);
}

/** Returns the latest instant that the filter's tracks surely reach. */
function lastsUntil({ timeRange, and }: FilterTrackInput): number | undefined {
  const instants = [
    ...(and ?? []).map(lastsUntil),
    timeRange?.intersecting?.start,
    timeRange?.containing?.end,
    timeRange?.containingInstant,
    timeRange?.endingWithin?.start,
  ].filter(given);
  return instants.length === 0 ? undefined : Math.max(...instants);
}

/**
 * @returns true when the filter has no earliest start, but selects tracks without an end, or tracks that last until
 * some instant.
 */
export const isOfUnsettled = (filter: FilterTrackInput): boolean =>
  startRange(filter).from === undefined && (filter.finished?.eq === false || lastsUntil(filter) !== undefined);

/**
 * Selects keys of tracks, among them all that fulfil the filter.
 * @returns undefined when that saves nothing.
 */
function candidates(params: Params, filter: FilterTrackInput): string | undefined {
  const range = startRange(filter);
  const started = (between: Range) => keysOf(tracksTable.name, rowCondition(params, filter, between));
  if (range.from !== undefined) return started(range);
  if (!isOfUnsettled(filter)) return undefined;
  const unsettled = keysOf(unsettledTable.name, unsettledCondition(params, filter));
  if (filter.finished?.eq === false) return unsettled;
  const until = lastsUntil(filter);
  if (until === undefined) return undefined;
  // A settled track ended soon after its start.
  const starting = started({ ...range, from: until - SETTLED_SPAN_MS });
  if (range.to === undefined) return `${starting} UNION ALL ${unsettled}`;
  const ending = endingKeys(params, filter, { from: until, to: range.to + SETTLED_SPAN_MS });
  return `(${starting} INTERSECT DISTINCT (${ending})) UNION ALL ${unsettled}`;
}

/**
 * @returns true when more than half of all tracks start in the filter's range. Finding their keys then costs more than
 * it saves. Counting rows instead of tracks is accurate enough. Never rejects; returns false when the store does not
 * answer.
 */
export async function areMost(client: QueryClient, filter: FilterTrackInput): Promise<boolean> {
  const until = lastsUntil(filter);
  const starting = until === undefined ? {} : { from: until - SETTLED_SPAN_MS };
  const params = createParams();
  const { name } = tracksTable;
  const sql = `SELECT count() * 2 > (SELECT count() FROM ${name}) AS are_most
    FROM ${name} WHERE ${rowCondition(params, {}, { ...starting, ...startRange(filter) })}`;
  const rows = await ask<{ are_most: number }>(client, "how many tracks start in a range", sql, params).catch(() => []);
  return rows[0]?.are_most === 1;
}

/**
 * Returns the condition on the unsettled tracks that may fulfil the filter. A track that changed after its key was
 * written with its times always fulfils it.
 */
export function unsettledCondition(params: Params, filter: FilterTrackInput): string {
  const conditions = [keyCondition(params, filter)];
  const { to } = startRange(filter);
  if (to !== undefined) conditions.push(`own_start <= ${bindTime(params, to)}`);
  const until = filter.finished?.eq === false ? NO_END_MS : lastsUntil(filter);
  if (until !== undefined) conditions.push(`own_end >= ${bindTime(params, Math.min(until, NO_END_MS))}`);
  return all(conditions);
}

/**
 * Selects the keys of tracks that end in the range. Some row contains the end of its track, either as its explicit end
 * or as its expiry.
 */
function endingKeys(params: Params, filter: FilterTrackInput, { from, to }: Required<Range>): string {
  return ["explicit_end.3", "expired_end.2"]
    .map((end) => {
      const conditions = [keyCondition(params, filter), `${end} >= ${bindTime(params, from)}`];
      return keysOf(tracksTable.name, all([...conditions, `${end} <= ${bindTime(params, to)}`]));
    })
    .join(" UNION ALL ");
}

/**
 * Returns a condition on keys alone, which all tracks that fulfil the filter fulfil.
 * @returns undefined when it would save nothing.
 */
export function amongCandidates(params: Params, filter: FilterTrackInput): string | undefined {
  const keys = candidates(params, filter);
  return keys === undefined ? undefined : `(${TRACK_KEY}) IN (${keys})`;
}

/**
 * Returns conditions on the detections of the filter's tracks, for those parts of the filter that test detections: the
 * tracks' keys, and the time from the first detection of any of them to the last. There are none when that saves
 * nothing.
 */
export function seenScope(params: Params, filter: FilterTrackInput): string[] {
  if (!asksPosition(filter)) return [];
  // The caller's scope contains the list of ids anyway.
  const keys = candidates(params, { ...filter, id: null });
  if (keys === undefined) return [];
  const ofThem = (time: string) => `(SELECT ${time} FROM ${tracksTable.name} WHERE (${TRACK_KEY}) IN (${keys}))`;
  return [
    `(${TRACK_KEY}) IN (${keys})`,
    `timestamp >= ${ofThem("min(first_detection_at)")}`,
    `timestamp <= ${ofThem("max(last_detection_at)")}`,
  ];
}

const asksPosition = ({ position, and, or, not }: FilterTrackInput): boolean =>
  given(position) || [...(and ?? []), ...(or ?? []), ...(given(not) ? [not] : [])].some(asksPosition);

/**
 * Returns the condition of `amongCandidates` for reading rows in the order of their starts. It hides the key columns in
 * expressions: with plain columns, ClickHouse would look the rows up by key instead.
 */
export function amongInOrder(params: Params, filter: FilterTrackInput): string | undefined {
  const keys = candidates(params, filter);
  return keys === undefined ? undefined : `(concat(data_source_id, ''), concat(track_id, '')) IN (${keys})`;
}

const keysOf = (table: string, condition: string): string => `SELECT ${TRACK_KEY} FROM ${table} WHERE ${condition}`;

const keyCondition = (params: Params, { id, dataSourceId }: FilterTrackInput): string =>
  compile(trackFields, { id, dataSourceId }, { params, dataSourceIds: () => [] });
