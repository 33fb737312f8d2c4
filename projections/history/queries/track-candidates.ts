// Finds the tracks of a time range by the start that each row of tracks_v1 has. The row that decides the start of its
// track is among the found ones, merged or not, so no track is missed. The view then judges the found tracks.
import type { FilterTrackInput } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { all, bindTime, given, type Params } from "../../filters/sql/sql.ts";
import { trackFields } from "../../filters/tracks.ts";
import { tracksTable } from "../tracks.ts";
import { NO_END_MS, SETTLED_SPAN_MS, unsettledTable } from "../unsettled.ts";
import { createParams } from "./params.ts";
import { type Asked, ask } from "./run.ts";

/** As the projection of the table has it. */
export const OWN_START = "if(header_start.1 > 0, header_start.2, ifNull(first_detection_at, created_at))";
export const TRACK_KEY = "data_source_id, track_id";

/** Closed; an end that is missing is open. */
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

/** What a row of tracks_v1 must fulfil for its track to fulfil the filter: conditions on the key, and on the start. */
export function rowCondition(params: Params, filter: FilterTrackInput, { from, to }: Range): string {
  const conditions = [keyCondition(params, filter)];
  if (from !== undefined) conditions.push(`${OWN_START} >= ${bindTime(params, from)}`);
  if (to !== undefined) conditions.push(`${OWN_START} <= ${bindTime(params, to)}`);
  return all(conditions);
}

/** The latest instant up to which the filter's tracks last at least; undefined when they may end at any time. */
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

/** Of no start in particular, but of tracks that have no end, or are not over at some instant. */
export const isOfUnsettled = (filter: FilterTrackInput): boolean =>
  startRange(filter).from === undefined && (filter.finished?.eq === false || lastsUntil(filter) !== undefined);

/** Selects the keys of tracks among which are all that fulfil the filter; undefined when that spares nothing. */
function candidates(params: Params, filter: FilterTrackInput): string | undefined {
  const range = startRange(filter);
  const started = (between: Range) => keysOf(tracksTable.name, rowCondition(params, filter, between));
  if (range.from !== undefined) return started(range);
  if (!isOfUnsettled(filter)) return undefined;
  const unsettled = keysOf(unsettledTable.name, unsettledCondition(params, filter));
  if (filter.finished?.eq === false) return unsettled;
  const until = lastsUntil(filter);
  if (until === undefined) return undefined;
  // A track that is settled has ended soon after its start.
  const starting = started({ ...range, from: until - SETTLED_SPAN_MS });
  if (range.to === undefined) return `${starting} UNION ALL ${unsettled}`;
  const ending = endingKeys(params, filter, { from: until, to: range.to + SETTLED_SPAN_MS });
  return `(${starting} INTERSECT DISTINCT (${ending})) UNION ALL ${unsettled}`;
}

/**
 * Whether more than half of all tracks start at times at which the filter's tracks may start: then looking for their keys costs
 * more than it spares. The number of rows is near enough. Never rejects: it is no when the store does not say.
 */
export async function areMost(client: Asked, filter: FilterTrackInput): Promise<boolean> {
  const until = lastsUntil(filter);
  const starting = until === undefined ? {} : { from: until - SETTLED_SPAN_MS };
  const params = createParams();
  const { name } = tracksTable;
  const sql = `SELECT count() * 2 > (SELECT count() FROM ${name}) AS are_most
    FROM ${name} WHERE ${rowCondition(params, {}, { ...starting, ...startRange(filter) })}`;
  const rows = await ask<{ are_most: number }>(client, "how many tracks start in a range", sql, params).catch(() => []);
  return rows[0]?.are_most === 1;
}

/** Which unsettled tracks may fulfil the filter. One that has changed since it was looked up is among them whatever the range. */
export function unsettledCondition(params: Params, filter: FilterTrackInput): string {
  const conditions = [keyCondition(params, filter)];
  const { to } = startRange(filter);
  if (to !== undefined) conditions.push(`own_start <= ${bindTime(params, to)}`);
  const until = filter.finished?.eq === false ? NO_END_MS : lastsUntil(filter);
  if (until !== undefined) conditions.push(`own_end >= ${bindTime(params, Math.min(until, NO_END_MS))}`);
  return all(conditions);
}

/** Some row says the end that counts of its track, as one of its two ends. */
function endingKeys(params: Params, filter: FilterTrackInput, { from, to }: Required<Range>): string {
  return ["explicit_end.3", "expired_end.2"]
    .map((end) => {
      const conditions = [keyCondition(params, filter), `${end} >= ${bindTime(params, from)}`];
      return keysOf(tracksTable.name, all([...conditions, `${end} <= ${bindTime(params, to)}`]));
    })
    .join(" UNION ALL ");
}

/** Fulfilled by all tracks that fulfil the filter, and judged by their keys alone. */
export function among(params: Params, filter: FilterTrackInput): string | undefined {
  const keys = candidates(params, filter);
  return keys === undefined ? undefined : `(${TRACK_KEY}) IN (${keys})`;
}

/**
 * Conditions on the detections of the filter's tracks, for what it asks of the detections: their keys, and the time from the
 * first detection of any to the last. None when that spares nothing.
 */
export function seenScope(params: Params, filter: FilterTrackInput): string[] {
  if (!asksPosition(filter)) return [];
  // A list of ids is in the scope anyway.
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

/** As `among`, for rows to be read in the order of their starts: plain columns would make the store look them up. */
export function amongInOrder(params: Params, filter: FilterTrackInput): string | undefined {
  const keys = candidates(params, filter);
  return keys === undefined ? undefined : `(concat(data_source_id, ''), concat(track_id, '')) IN (${keys})`;
}

const keysOf = (table: string, condition: string): string => `SELECT ${TRACK_KEY} FROM ${table} WHERE ${condition}`;

const keyCondition = (params: Params, { id, dataSourceId }: FilterTrackInput): string =>
  compile(trackFields, { id, dataSourceId }, { params, dataSourceIds: () => [] });
