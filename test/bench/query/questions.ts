// The questions, through the product's functions and in SQL. `seed` chooses values: the same seed, the same question.
import type { ClickHouseClient } from "@clickhouse/client";
import { detectionsOfTracks, detectionsPage } from "../../../projections/history/queries/detections.ts";
import { intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import type { History, Page } from "../../../projections/history/queries/records.ts";
import { tracksByIds, tracksPage } from "../../../projections/history/queries/tracks.ts";
import { type Size, START_MS, trackIdSql, zoneIdSql } from "./fill.ts";

export interface Question {
  readonly name: string;
  ask(seed: number): Promise<readonly unknown[]>;
  sql(seed: number): string;
}

const FIRST = 100;
const FAR_PAGE = 500;
const MINUTE_MS = 60_000;
const byTime = [{ field: "DETECTION_TIME", direction: "ASC" }] as const;
const byStart = [{ field: "TRACK_START_TIME", direction: "ASC" }] as const;
const DETECTION = `track_id, data_source_id, toUnixTimestamp64Milli(timestamp) AS at, rings, polygon_crs, longitude,
  latitude, altitude, position_crs, direction, metadata, toUnixTimestamp64Milli(recorded_at) AS recorded`;
const TRACK = `track_id, data_source_id, tag, toUnixTimestamp64Milli(start_time) AS start, toUnixTimestamp64Milli(end_time)
  AS end, model_id, properties, metadata, first_detection_at, last_detection_at`;

export async function createQuestions(client: ClickHouseClient, size: Size): Promise<Question[]> {
  const history: History = { client, dataSourceIds: () => [] };
  const random = (seed: number) => ((seed * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
  const spanMs = (size.tracks / size.cameras) * size.trackEveryMs;
  const instant = (seed: number) => START_MS + Math.floor(random(seed) * (spanMs - 10 * MINUTE_MS));
  return [
    tracksInRange(history, instant),
    await detectionsOfOne(history, size, random),
    await intersectionsOfZone(history, size, random),
    inPolygon(history, instant),
    ...(await detectionPages(history)),
    ...(await trackPages(history)),
  ];
}

const rowsOf = <T>({ edges }: Page<T>): readonly unknown[] => edges;
const at = (ms: number): string => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`;

function tracksInRange(history: History, instant: (seed: number) => number): Question {
  return {
    name: "tracks in a time range",
    async ask(seed) {
      const range = { start: instant(seed), end: instant(seed) + MINUTE_MS };
      const filter = { timeRange: { intersecting: range } };
      return rowsOf(await tracksPage(history, { filter, sort: byStart, first: FIRST }));
    },
    sql: (seed) =>
      trackPageSql(
        `start_time <= ${at(instant(seed) + MINUTE_MS)} AND (end_time IS NULL OR end_time >= ${at(instant(seed))})`,
      ),
  };
}

const trackPageSql = (condition: string): string => `SELECT ${TRACK} FROM tracks_current_v1
  WHERE (data_source_id, track_id) IN (SELECT data_source_id, track_id FROM tracks_current_v1 WHERE ${condition}
    ORDER BY start_time, track_id LIMIT ${FIRST})
  ORDER BY start_time, track_id SETTINGS optimize_move_to_prewhere_if_final = 1`;

async function detectionsOfOne(history: History, size: Size, random: (seed: number) => number): Promise<Question> {
  const ids = await idsOf(history, trackIdSql("number"), size.tracks, random);
  const tracks = await tracksByIds(history.client, ids);
  const track = (seed: number) => tracks[seed % tracks.length] ?? fail();
  return {
    name: "a track's detections",
    ask: async (seed) => (await detectionsOfTracks(history, { tracks: [track(seed)], sort: byTime })).flat(),
    sql(seed) {
      const { dataSourceId, trackId, firstDetectionAt, lastDetectionAt } = track(seed);
      return `SELECT ${DETECTION} FROM detections_v1 FINAL
        PREWHERE data_source_id = '${dataSourceId}' AND track_id = '${trackId}'
          AND timestamp BETWEEN ${at(firstDetectionAt ?? 0)} AND ${at(lastDetectionAt ?? 0)}
        ORDER BY timestamp`;
    },
  };
}

async function intersectionsOfZone(history: History, size: Size, random: (seed: number) => number): Promise<Question> {
  const zones = await idsOf(history, zoneIdSql("number"), size.zones, random);
  const zone = (seed: number) => zones[seed % zones.length] ?? fail();
  const sort = [{ field: "START_TIME", direction: "ASC" }] as const;
  return {
    name: "intersections of a zone",
    async ask(seed) {
      return rowsOf(await intersectionsPage(history, { filter: { zoneId: { eq: zone(seed) } }, sort, first: FIRST }));
    },
    sql: (
      seed,
    ) => `SELECT intersection_id, zone_id, track_id, data_source_id, tag, toUnixTimestamp64Milli(start_time) AS
        start, toUnixTimestamp64Milli(end_time) AS end, toUnixTimestamp64Milli(last_inside) AS inside
      FROM zone_intersections_v1 FINAL PREWHERE zone_id = '${zone(seed)}'
      ORDER BY start_time, intersection_id LIMIT ${FIRST}`,
  };
}

/** A place that contains about one in thirty detections, during ten minutes of all cameras. */
function inPolygon(history: History, instant: (seed: number) => number): Question {
  const ring = [
    [4.1, 52.0001],
    [4.3, 52.0001],
    [4.3, 52.0002],
    [4.1, 52.0002],
    [4.1, 52.0001],
  ];
  const polygon = `[${ring.map(([x, y]) => `(${x}, ${y})`).join()}]`;
  const span = (seed: number) => [instant(seed), instant(seed) + 10 * MINUTE_MS] as const;
  return {
    name: "position in polygon",
    async ask(seed) {
      const filter = {
        time: { between: span(seed) },
        position: { in: { type: "Polygon" as const, coordinates: [ring] } },
      };
      return rowsOf(await detectionsPage(history, { filter, sort: byTime, first: FIRST }));
    },
    sql(seed) {
      const [from, to] = span(seed);
      return `SELECT ${DETECTION} FROM detections_v1 FINAL
        PREWHERE timestamp >= ${at(from)} AND timestamp <= ${at(to)}
        WHERE longitude IS NOT NULL AND latitude IS NOT NULL
          AND pointInPolygon((assumeNotNull(longitude), assumeNotNull(latitude)), ${polygon})
        ORDER BY timestamp, track_id LIMIT ${FIRST}`;
    },
  };
}

async function detectionPages(history: History): Promise<Question[]> {
  const take = (first: number, after?: string) => detectionsPage(history, { filter: {}, sort: byTime, first, after });
  const far = await skip(take);
  const edge = far.edges.at(-1)?.node ?? fail();
  const sql = (condition: string) => `SELECT ${DETECTION} FROM detections_v1 FINAL
    PREWHERE (${condition}) AND timestamp <= (SELECT max(timestamp) FROM (
      SELECT timestamp FROM detections_v1 WHERE ${condition} ORDER BY timestamp LIMIT ${2 * FIRST}))
    ORDER BY timestamp, track_id, data_source_id LIMIT ${FIRST}`;
  const beyond = `timestamp >= ${at(edge.timestamp)}
    AND (timestamp, track_id, data_source_id) > (${at(edge.timestamp)}, '${edge.trackId}', '${edge.dataSourceId}')`;
  return [
    { name: "detections, page 1", ask: async () => rowsOf(await take(FIRST)), sql: () => sql("1") },
    {
      name: `detections, page ${FAR_PAGE}`,
      ask: async () => rowsOf(await take(FIRST, far.edges.at(-1)?.cursor)),
      sql: () => sql(beyond),
    },
  ];
}

async function trackPages(history: History): Promise<Question[]> {
  const take = (first: number, after?: string) => tracksPage(history, { filter: {}, sort: byStart, first, after });
  const far = await skip(take);
  const edge = far.edges.at(-1)?.node ?? fail();
  const beyond = `(start_time, track_id) > (${at(edge.startTime)}, '${edge.trackId}')`;
  return [
    { name: "tracks, page 1", ask: async () => rowsOf(await take(FIRST)), sql: () => trackPageSql("1") },
    {
      name: `tracks, page ${FAR_PAGE}`,
      ask: async () => rowsOf(await take(FIRST, far.edges.at(-1)?.cursor)),
      sql: () => trackPageSql(beyond),
    },
  ];
}

/** The last of the pages before page 500, or before the last one when there are fewer. */
async function skip<T>(take: (first: number, after?: string) => Promise<Page<T>>): Promise<Page<T>> {
  const whole = await take((FAR_PAGE - 1) * FIRST);
  if (whole.edges.length < FIRST) fail();
  return whole;
}

async function idsOf({ client }: History, sql: string, count: number, random: (seed: number) => number) {
  const numbers = Array.from({ length: 50 }, (_, i) => Math.floor(random(i + 1) * count));
  const result = await client.query({
    query: `SELECT ${sql} AS id FROM (SELECT arrayJoin([${numbers.join()}]) AS number)`,
    format: "JSONEachRow",
  });
  return (await result.json<{ id: string }>()).map(({ id }) => id);
}

function fail(): never {
  throw new Error("the history is too small for this benchmark");
}
