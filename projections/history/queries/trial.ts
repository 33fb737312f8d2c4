// The detections of a data source that a zone may concern, for a trial of the zone (projections/trial).
import { all, bindTime, type Params } from "../../filters/sql/sql.ts";
import type { Box } from "../../geometry/box.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

/** Event times, ms: `from` is included, `to` is not. */
export interface TrialRange {
  readonly dataSourceId: string;
  readonly from: number;
  readonly to: number;
}

/** The detections of a bucket of time. Empty buckets are left out. */
export interface TrialBucket {
  readonly from: number;
  readonly to: number;
  readonly detections: number;
  /** The lowest and the highest offset. */
  readonly first: number;
  readonly last: number;
}

interface BucketRow {
  readonly bucket: string;
  readonly detections: string;
  readonly first: string;
  readonly last: string;
}

/** Counts the detections of a range in buckets of `widthMs`. The query reads no more than `most` detections. */
export async function detectionBuckets(
  client: QueryClient,
  range: TrialRange,
  { widthMs, most }: { readonly widthMs: number; readonly most: number },
): Promise<TrialBucket[]> {
  const params = createParams();
  const from = params.bind("Int64", range.from);
  const width = params.bind("Int64", widthMs);
  const sql = `SELECT intDiv(toUnixTimestamp64Milli(timestamp) - ${from}, ${width}) AS bucket, count() AS detections,
      min(offset) AS first, max(offset) AS last
    FROM (SELECT timestamp, offset FROM detections_v1
      WHERE ${within(params, range)} LIMIT ${params.bind("UInt64", most)})
    GROUP BY bucket ORDER BY bucket`;
  return (await ask<BucketRow>(client, "trial buckets", sql, params)).map(({ bucket, detections, first, last }) => ({
    from: range.from + Number(bucket) * widthMs,
    to: Math.min(range.to, range.from + (Number(bucket) + 1) * widthMs),
    detections: Number(detections),
    first: Number(first),
    last: Number(last),
  }));
}

/** A piece of a trial's range. */
export interface TrialPiece extends TrialRange {
  /**
   * The end of the detections that the log may have before others of this piece, although they are later. Undefined
   * when there are none.
   */
  readonly overlap: { readonly to: number; readonly before: number } | undefined;
}

/** The detections that are not outside the zone for certain have its box, by the zone's anchor. */
export interface TrialZone {
  readonly box: Box;
  readonly anchor: "area" | "bottom_center";
}

/** A detection without a polygon changes no intersection; one that is OUTSIDE is so for certain. */
export const DETECTION = { WITHOUT_POLYGON: 0, OUTSIDE: 1, NEAR: 2 } as const;

/** Detections of a track, in the order of the log. Each has an entry in `times`, `offsets` and `kinds`. */
export interface TrialDetections {
  readonly trackId: string;
  /** Timestamps, ms. */
  readonly times: readonly number[];
  readonly offsets: readonly number[];
  /** Values of DETECTION. */
  readonly kinds: readonly number[];
  /** One entry for each detection that is NEAR. */
  readonly rings: readonly (readonly (readonly number[])[])[];
}

/** A track with the detections of a piece that can decide about a stay. */
export interface TrialTrack {
  readonly trackId: string;
  /** Number of its detections near the zone. */
  readonly near: number;
  /** Its detections in parts that are small enough to be read without holding the event loop. */
  readonly parts: () => Iterable<TrialDetections>;
}

interface DetectionsRow extends Omit<TrialDetections, "trackId"> {
  readonly track_id: string;
  readonly part: number;
}

export interface TrialQuestion {
  readonly piece: TrialPiece;
  readonly zone: TrialZone;
  /** A track with a longer gap than this between two detections has expired. */
  readonly longestGapMs: number;
}

/** The tracks that have a detection near the zone, with the detections of the piece that can decide about a stay. */
export const tracksNear = (client: QueryClient, question: TrialQuestion): Promise<TrialTrack[]> =>
  trackDetections(client, "trial tracks", question, () => ({
    rows: "1",
    tracks: `max(kind) = ${DETECTION.NEAR}`,
  }));

/** The same for given tracks, also when they have no detection near the zone. */
export const tracksAmong = (
  client: QueryClient,
  question: TrialQuestion,
  trackIds: readonly string[],
): Promise<TrialTrack[]> =>
  trackDetections(client, "trial tracks that go on", question, (params) => ({
    rows: `track_id IN ${params.bindList("String", trackIds)}`,
    tracks: "1",
  }));

/** A row has no more detections than this, so that reading one does not hold the event loop. */
const ROW_DETECTIONS = 500;

async function trackDetections(
  client: QueryClient,
  name: string,
  { piece, zone, longestGapMs }: TrialQuestion,
  select: (params: Params) => { readonly rows: string; readonly tracks: string },
): Promise<TrialTrack[]> {
  const params = createParams();
  const chosen = select(params);
  const from = params.bind("Int64", piece.from);
  const columns = `track_id, toFloat64(toUnixTimestamp64Milli(timestamp) - ${from}) AS time,
      bitShiftLeft(offset, 24) + item AS rank, rings, rings[1] AS outline,
      multiIf(length(outline) < 2, ${DETECTION.WITHOUT_POLYGON}, ${nearSql(params, zone)}, ${DETECTION.NEAR}, ${DETECTION.OUTSIDE}) AS kind`;
  const rows = rangesOf(params, piece)
    .map((range) => `SELECT ${columns} FROM detections_v1 WHERE ${all([range, chosen.rows])}`)
    .join(" UNION ALL ");
  const grouped = `SELECT track_id, groupArray(time) AS all_times, groupArray(kind) AS all_kinds, groupArray(rank) AS ranks,
      groupArrayIf(rings, kind = ${DETECTION.NEAR}) AS near_rings, groupArrayIf(rank, kind = ${DETECTION.NEAR}) AS near_ranks
    FROM (${rows}) GROUP BY track_id HAVING ${chosen.tracks}`;
  const sql = inPartsSql(keptSql(params, longestGapMs, inLogSql(grouped)));
  return joined(await ask<DetectionsRow>(client, name, sql, params), piece.from);
}

/** Sorts the lists of each row by the rank, unless they are in this order already, as nearly all are. */
function inLogSql(grouped: string): string {
  const sorted = (list: string, ranks: string) =>
    `if(is_sorted, ${list}, arraySort((each, rank) -> rank, ${list}, ${ranks}))`;
  const rises = (list: string) =>
    `arrayAll((each, at) -> at = 1 OR each > 0, arrayDifference(${list}), arrayEnumerate(${list}))`;
  return `SELECT track_id, ${rises("CAST(ranks, 'Array(Int64)')")} AS is_sorted,
      ${sorted("all_times", "ranks")} AS times, ${sorted("all_kinds", "ranks")} AS kinds,
      ${sorted("ranks", "ranks")} AS in_log, ${sorted("near_rings", "near_ranks")} AS rings, NOT ${rises("times")} AS has_late
    FROM (${grouped})`;
}

/**
 * Drops detections that decide nothing. Of a run of detections that are not near, the first may end a stay, and the
 * last may end it after its exit delay. Others are kept so that no gap becomes longer than `longestGapMs` that was not.
 * All detections of a track with a late one are kept.
 */
function keptSql(params: Params, longestGapMs: number, inLog: string): string {
  const half = params.bind("Float64", longestGapMs / 2);
  const isKept = `kind = ${DETECTION.NEAR} OR has_late OR kind != kind_before OR kind != kind_after
    OR floor(time / ${half}) != floor(before / ${half}) OR time - before > ${half} OR after - time > ${half}`;
  const before = (list: string, edge: string) => `arrayPushFront(arrayPopBack(${list}), ${edge})`;
  const after = (list: string, edge: string) => `arrayPushBack(arrayPopFront(${list}), ${edge})`;
  const mask = `arrayMap((time, before, after, kind, kind_before, kind_after) -> ${isKept}, times,
      ${before("times", "-1e18")}, ${after("times", "1e18")}, kinds, ${before("kinds", "255")}, ${after("kinds", "255")})`;
  const kept = (list: string) => `arrayFilter((each, is_kept) -> is_kept, ${list}, mask)`;
  return `SELECT track_id, ${mask} AS mask, ${kept("times")} AS kept_times, ${kept("kinds")} AS kept_kinds,
      ${kept("in_log")} AS kept_ranks, rings AS kept_rings
    FROM (${inLog})`;
}

/** Cuts the lists of each row into parts. */
function inPartsSql(kept: string): string {
  const part = (list: string) => `arraySlice(${list}, part + 1, ${ROW_DETECTIONS})`;
  const near = (list: string) => `countEqual(${list}, ${DETECTION.NEAR})`;
  return `SELECT track_id, arrayJoin(range(0, length(kept_times), ${ROW_DETECTIONS})) AS part, ${part("kept_times")} AS times,
      ${part("kept_kinds")} AS kinds, arrayMap(rank -> toFloat64(bitShiftRight(rank, 24)), ${part("kept_ranks")}) AS offsets,
      arrayMap(near -> ${BOX_SQL}, arraySlice(kept_rings, 1 + ${near("arraySlice(kept_kinds, 1, part)")}, ${near("kinds")})) AS rings
    FROM (${kept})`;
}

/**
 * Shortens the outline of an upright box, as nearly all are, to two corners and marks it with an empty hole: writing
 * and reading numbers is a great part of the work.
 */
const BOX_SQL = `if(length(near) = 1 AND length(near[1]) = 10
    AND near[1][3] = near[1][5] AND near[1][7] = near[1][1] AND near[1][9] = near[1][1]
    AND near[1][4] = near[1][2] AND near[1][8] = near[1][6] AND near[1][10] = near[1][2],
    [[near[1][1], near[1][2], near[1][5], near[1][6]], []], near)`;

type Rings = TrialDetections["rings"][number];

function ringsOf(sent: Rings): Rings {
  const [corners = [], mark] = sent;
  if (mark?.length !== 0) return sent;
  const [x = 0, y = 0, otherX = 0, otherY = 0] = corners;
  return [[x, y, otherX, y, otherX, otherY, x, otherY, x, y]];
}

function joined(rows: readonly DetectionsRow[], from: number): TrialTrack[] {
  const tracks = new Map<string, DetectionsRow[]>();
  for (const row of rows) {
    const parts = tracks.get(row.track_id);
    if (parts === undefined) tracks.set(row.track_id, [row]);
    else parts.push(row);
  }
  return [...tracks].map(([trackId, rows]) => ({
    trackId,
    near: rows.reduce((sum, { rings }) => sum + rings.length, 0),
    *parts() {
      for (const { times, offsets, kinds, rings } of rows.sort((a, b) => a.part - b.part)) {
        yield { trackId, times: times.map((time) => time + from), offsets, kinds, rings: rings.map(ringsOf) };
      }
    },
  }));
}

const within = (params: Params, { dataSourceId, from, to }: TrialRange): string =>
  all([
    `data_source_id = ${params.bind("String", dataSourceId)}`,
    `timestamp >= ${bindTime(params, from)}`,
    `timestamp < ${bindTime(params, to)}`,
  ]);

function rangesOf(params: Params, piece: TrialPiece): string[] {
  const { dataSourceId, to, overlap } = piece;
  if (overlap === undefined) return [within(params, piece)];
  const later = within(params, { dataSourceId, from: to, to: overlap.to });
  return [within(params, piece), all([later, `offset < ${params.bind("UInt64", overlap.before)}`])];
}

/** True when the boxes overlap by more than an edge, as the live fold tests it (zone-index.ts). */
function nearSql(params: Params, { box, anchor }: TrialZone): string {
  const [minX, minY, maxX, maxY] = [box.minX, box.minY, box.maxX, box.maxY].map((value) =>
    params.bind("Float64", value),
  );
  const numbers = (odd: 0 | 1) => `arrayFilter((_, at) -> at % 2 = ${odd}, outline, arrayEnumerate(outline))`;
  const [x, y] = [numbers(1), numbers(0)];
  const overlaps = [
    `arrayMin(${x}) < ${maxX}`,
    `arrayMax(${x}) > ${minX}`,
    `arrayMin(${y}) < ${maxY}`,
    `arrayMax(${y}) > ${minY}`,
  ];
  if (anchor === "area") return all(overlaps);
  const middle = `(arrayMin(${x}) + arrayMax(${x})) / 2`;
  return all([...overlaps, `${middle} BETWEEN ${minX} AND ${maxX}`, `arrayMax(${y}) BETWEEN ${minY} AND ${maxY}`]);
}
