// The number of rows that a question reads depends on its range or its page, not on the length of the history: the
// store refuses to read more.
import type { ClickHouseClient } from "@clickhouse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { detectionsCount, detectionsPage } from "../../../projections/history/queries/detections.ts";
import { intersectionsOfTracks } from "../../../projections/history/queries/intersections.ts";
import { tracksCount, tracksPage } from "../../../projections/history/queries/tracks.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { createDatabase } from "./database.ts";
import { START } from "./world.ts";

/** A track a minute, which has one detection and one stay. */
const TRACKS = 200_000;
const MINUTE_MS = 60_000;
const startOf = (track: number): number => START + track * MINUTE_MS;
const idOf = (track: number): string => String(track).padStart(8, "0");

let client: ClickHouseClient;

beforeAll(async () => {
  const database = await createDatabase();
  const fill = (into: string, columns: string, values: string) =>
    database.client.command({
      query: `INSERT INTO ${into} (data_source_id, track_id, ${columns})
        WITH fromUnixTimestamp64Milli(toInt64(${START} + number * ${MINUTE_MS}), 'UTC') AS at
        SELECT 'ds-a', leftPad(toString(number), 8, '0'), ${values} FROM numbers(${TRACKS})`,
      clickhouse_settings: { max_partitions_per_insert_block: "100" },
    });
  const header = "header_tag, header_start, explicit_end, first_detection_at, last_detection_at";
  await fill("tracks_v1", header, "(1, 'car'), (1, at), (1, true, at), at, at");
  await fill("detections_v1", "timestamp, longitude, latitude", "at, 10, 50");
  await fill("detections_per_hour_v1", "hour, seen_ms", `intDiv(toUnixTimestamp(at), 3600), [0]`);
  const stay = "intersection_id, zone_id, tag, start_time, end_time, last_inside";
  await fill("zone_intersections_v1", stay, "toString(number), 'zone', 'car', at, at, at");
  client = createClickHouse(database.config, database.name, { max_rows_to_read: String(TRACKS / 4) });
});

afterAll(() => client.close());

const history = () => ({ client, dataSourceIds: () => [] });
const LAST = TRACKS - 10;
const between: [number, number] = [startOf(LAST), startOf(LAST + 1)];
const sort = [{ field: "TRACK_START_TIME", direction: "ASC" } as const];

test("detections of a minute by the tag of their tracks", async () => {
  const filter = { time: { between }, tag: { eq: "car" } };

  const { edges } = await detectionsPage(history(), { filter, sort: [], first: 5 });
  expect(edges.map(({ node }) => node.trackId)).toEqual([idOf(LAST), idOf(LAST + 1)]);
  expect(await detectionsCount(history(), { and: [filter] })).toBe(2);
  expect(await detectionsCount(history(), { ...filter, tag: { ne: "car" } })).toBe(0);
});

test("tracks of a minute by their positions", async () => {
  const near = { point: { type: "Point" as const, coordinates: [10, 50] }, radius: 1_000 };
  const filter = { time: { between }, position: { near } };

  const { edges } = await tracksPage(history(), { filter, sort, first: 5 });
  expect(edges.map(({ node }) => node.trackId)).toEqual([idOf(LAST), idOf(LAST + 1)]);
  expect(await tracksCount(history(), { time: { between }, position: { attributeExists: false } })).toBe(0);
});

test("the stays of a page of tracks", async () => {
  const page = Array.from({ length: 100 }, (_, i) => LAST - i);
  const refs = page.map((track) => ({ trackId: idOf(track), dataSourceId: "ds-a" }));
  const unknown = page.map((track) => ({ trackId: `${idOf(track)}-unknown`, dataSourceId: "ds-a" }));

  const lists = await intersectionsOfTracks(client, [...refs, ...unknown]);
  expect(lists.map((list) => list.length)).toEqual([...refs.map(() => 1), ...unknown.map(() => 0)]);
});

test("the stays of tracks whose detections are known", async () => {
  const page = Array.from({ length: 2_000 }, (_, i) => LAST - i);
  // The intersections may be further on in their log: here the last detection is not known yet.
  const [firstDetectionAt, lastDetectionAt] = [startOf(LAST - 1_999), startOf(LAST - 1)];
  const ids = [...page.map(idOf), ...page.map((track) => `${idOf(track)}-unknown`)];
  const refs = ids.map((trackId) => ({ trackId, dataSourceId: "ds-a", firstDetectionAt, lastDetectionAt }));

  const lists = await intersectionsOfTracks(client, refs);
  expect(lists.flat().map(({ trackId }) => trackId)).toEqual(page.map(idOf));
});
