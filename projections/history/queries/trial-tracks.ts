// The tracks that a zone may concern, with their detections, for a trial of the zone (projections/trial).
import { all, type Params } from "../../filters/sql/sql.ts";
import type { Box } from "../../geometry/box.ts";
import { createParams } from "./params.ts";
import { readRowBinary } from "./row-binary.ts";
import { askBinary, type BinaryClient } from "./run.ts";
import { pieceRanges, type TrialPiece } from "./trial.ts";
import { DETECTION, type TrialTrack } from "./trial-rows.ts";

/** The detections that are not outside the zone for certain have its box, by the zone's anchor. */
export interface TrialZone {
  readonly box: Box;
  readonly anchor: "area" | "bottom_center";
}

/** Reads the rows of an answer. It may pause after each, because there may be a hundred megabytes. */
export type TrialTracks = Generator<void, TrialTrack[]>;

export interface TrialQuestion {
  readonly piece: TrialPiece;
  readonly zone: TrialZone;
}

/** The tracks that have a detection near the zone in the piece, with all their detections of the piece. */
export const tracksNear = (client: BinaryClient, question: TrialQuestion): Promise<TrialTracks> =>
  trackDetections(client, "trial tracks", question, () => ({ rows: "1", tracks: `max(kind) >= ${DETECTION.NEAR}` }));

/** The same for given tracks, also when they have no detection near the zone. */
export const tracksAmong = (
  client: BinaryClient,
  question: TrialQuestion,
  trackIds: readonly string[],
): Promise<TrialTracks> =>
  trackDetections(client, "trial tracks that go on", question, (params) => ({
    rows: `track_id IN ${params.bindList("String", trackIds)}`,
    tracks: "1",
  }));

/**
 * The query reads the detections once. To read them a first time for the tracks near the zone, so that only these are
 * grouped, took longer.
 */
async function trackDetections(
  client: BinaryClient,
  name: string,
  question: TrialQuestion,
  select: (params: Params) => { readonly rows: string; readonly tracks: string },
): Promise<TrialTracks> {
  const params = createParams();
  const { rows, tracks } = select(params);
  const sql = `SELECT track_id, groupArray(time), groupArray(rank), groupArray(kind),
      groupArrayArrayIf(${SHAPE_SQL}, kind >= ${DETECTION.NEAR})
    FROM (${judgedSql(params, question, rows)}) GROUP BY track_id HAVING ${tracks}`;
  return readTrialTracks(await askBinary(client, name, sql, params));
}

/** Reads the rows of the query's answer. */
export function* readTrialTracks(bytes: Buffer): TrialTracks {
  const tracks: TrialTrack[] = [];
  const row = readRowBinary(bytes);
  while (!row.isOver()) {
    const [trackId, times, ranks, kinds, shapes] = [row.text(), row.list(8), row.list(8), row.list(1), row.list(8)];
    tracks.push({ trackId, times, ranks, kinds, shapes });
    yield;
  }
  return tracks;
}

const IS_BOX_SQL = `length(rings) = 1 AND length(outline) = 10 AND outline[3] = outline[5] AND outline[7] = outline[1]
  AND outline[9] = outline[1] AND outline[4] = outline[2] AND outline[8] = outline[6] AND outline[10] = outline[2]`;

const SHAPE_SQL = `if(is_box, [outline[1], outline[2], outline[5], outline[6]],
  arrayConcat([toFloat64(length(rings))], arrayMap(ring -> toFloat64(length(ring)), rings), arrayFlatten(rings)))`;

/** The detections of the piece with their kinds. */
function judgedSql(params: Params, { piece, zone }: TrialQuestion, condition: string): string {
  const columns = "track_id, timestamp, offset, item, rings, rings[1] AS outline";
  const rows = pieceRanges(params, piece)
    .map((range) => `SELECT ${columns} FROM detections_v1 WHERE ${all([range, condition])}`)
    .join(" UNION ALL ");
  const kind = `multiIf(length(outline) < 2, ${DETECTION.WITHOUT_POLYGON}, NOT (${nearSql(params, zone)}), ${DETECTION.OUTSIDE},
    is_box, ${DETECTION.NEAR_BOX}, ${DETECTION.NEAR})`;
  return `SELECT track_id, toFloat64(toUnixTimestamp64Milli(timestamp)) AS time, bitShiftLeft(offset, 24) + item AS rank,
      rings, outline, ${IS_BOX_SQL} AS is_box, ${kind} AS kind
    FROM (${rows})`;
}

/** True when the boxes overlap by more than an edge, as the live fold tests it (zone-index.ts). */
function nearSql(params: Params, { box, anchor }: TrialZone): string {
  const [minX, minY, maxX, maxY] = [box.minX, box.minY, box.maxX, box.maxY].map((value) =>
    params.bind("Float64", value),
  );
  // The detour through a list of its own costs as much as reading the outlines, and nearly all of them are boxes.
  const numbers = (odd: 0 | 1) => `arrayFilter((_, at) -> at % 2 = ${odd}, outline, arrayEnumerate(outline))`;
  const least = (first: 1 | 2) =>
    `if(is_box, least(outline[${first}], outline[${first + 4}]), arrayMin(${numbers(first === 1 ? 1 : 0)}))`;
  const greatest = (first: 1 | 2) =>
    `if(is_box, greatest(outline[${first}], outline[${first + 4}]), arrayMax(${numbers(first === 1 ? 1 : 0)}))`;
  const overlaps = [
    `${least(1)} < ${maxX}`,
    `${greatest(1)} > ${minX}`,
    `${least(2)} < ${maxY}`,
    `${greatest(2)} > ${minY}`,
  ];
  if (anchor === "area") return all(overlaps);
  const middle = `(${least(1)} + ${greatest(1)}) / 2`;
  return all([...overlaps, `${middle} BETWEEN ${minX} AND ${maxX}`, `${greatest(2)} BETWEEN ${minY} AND ${maxY}`]);
}
