// Filters by the tag that a track has now, in a history in which a great many tracks have got another one.
import type { ClickHouseClient } from "@clickhouse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { intersectionsCount, intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import { updatedRank } from "../../../projections/rank.ts";
import { intersectionsSummary } from "../../../projections/summaries/intersections.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { createScene } from "../summaries/scene.ts";
import { createDatabase } from "./database.ts";
import { START } from "./world.ts";

/** A constant array of the store has up to a million entries. */
const CORRECTED = 1_100_000;
const STAYS = 100_000;
const PER_ZONE = 1_000;
const VAN_EVERY = 100;
const idOf = (number: number): string => String(number).padStart(8, "0");

let client: ClickHouseClient;
/** May read all tracks, but not keep the headers of all. */
let reading: ClickHouseClient;

beforeAll(async () => {
  const database = await createDatabase();
  const fill = (query: string) => database.client.command({ query });
  await fill(`INSERT INTO tracks_v1 (data_source_id, track_id, header_tag)
    SELECT 'ds', leftPad(toString(number), 8, '0'),
      (toUInt64(${updatedRank(0)} + number), if(number % ${VAN_EVERY} = 7, 'Van', 'lorry'))
    FROM numbers(${CORRECTED})`);
  await fill(`INSERT INTO zone_intersections_v1
      (intersection_id, zone_id, track_id, data_source_id, tag, start_time, end_time, last_inside)
    WITH fromUnixTimestamp64Milli(toInt64(${START} + number), 'UTC') AS at
    SELECT leftPad(toString(number), 8, '0'), concat('zone-', toString(intDiv(number, ${PER_ZONE}))),
      leftPad(toString(number), 8, '0'), 'ds', 'car', at, at, at
    FROM numbers(${STAYS})`);
  client = createClickHouse(database.config, database.name, {
    max_rows_to_read: String(CORRECTED / 10),
    max_memory_usage: "200000000",
  });
  reading = createClickHouse(database.config, database.name, { max_memory_usage: "100000000" });
});

afterAll(() => Promise.all([client.close(), reading.close()]));

const history = (asked = client) => ({ client: asked, dataSourceIds: () => [] });
const zoneId = { eq: "zone-3" };
const ofZone = Array.from({ length: PER_ZONE }, (_, i) => 3 * PER_ZONE + i);
const vans = ofZone.filter((number) => number % VAN_EVERY === 7).map(idOf);
const from = START + 3 * PER_ZONE;
const between: [number, number] = [from, from + PER_ZONE - 1];
type Filter = Parameters<typeof intersectionsPage>[1]["filter"];

const idsOf = async (filter: Filter, asked = client): Promise<string[]> => {
  const sort = [{ field: "START_TIME", direction: "ASC" } as const];
  const { edges } = await intersectionsPage(history(asked), { filter, sort, first: 20 });
  return edges.map(({ node }) => node.intersectionId);
};

test("the stays of one zone by tag are found without the headers of other zones' tracks", async () => {
  expect(await idsOf({ zoneId, tag: { eq: "van" } })).toEqual(vans);
  expect(await idsOf({ zoneId, tag: { eq: "car" } })).toEqual([]);
  expect(await intersectionsCount(history(), { and: [{ zoneId }, { tag: { ne: "van" } }] })).toBe(
    PER_ZONE - vans.length,
  );
});

test("the stays of a short time by tag are found without the headers of other tracks", async () => {
  expect(await idsOf({ time: { between }, tag: { eq: "van" } })).toEqual(vans);
});

test("a page of the stays by a frequent tag alone is found without the headers of other tracks", async () => {
  const lorries = Array.from({ length: 21 }, (_, i) => i).filter((number) => number % VAN_EVERY !== 7);

  expect(await idsOf({ tag: { eq: "lorry" } })).toEqual(lorries.map(idOf));
});

test("the stays by a rare tag alone are found and counted with the headers of its tracks only", async () => {
  const first = Array.from({ length: 20 }, (_, i) => i * VAN_EVERY + 7);

  expect(await idsOf({ tag: { eq: "van" } }, reading)).toEqual(first.map(idOf));
  expect(await idsOf({ tag: { eq: "ship" } }, reading)).toEqual([]);
  expect(await intersectionsCount(history(reading), { tag: { eq: "van" } })).toBe(STAYS / VAN_EVERY);
});

test("200 alternatives about the tag look it up once", async () => {
  const or = Array.from({ length: 200 }, (_, i) => ({ tag: { like: i === 100 ? "va" : `unknown ${i}` } }));

  expect(await idsOf({ zoneId, or })).toEqual(vans);
});

test("a summary of one zone by tag looks up the tags of its tracks only", async () => {
  const range = { from, to: from + PER_ZONE };
  const grouping = { dimensions: [intersectionsSummary.dimensions["TAG"]].flatMap((each) => each ?? []) };
  const question = { range, strategy: "STARTED", grouping, maxBuckets: 10 } as const;

  const { buckets } = await intersectionsSummary.summarize({ ...createScene(), client, filter: { zoneId }, question });

  expect(buckets?.map(({ values, tally }) => [...values, tally.total])).toEqual([
    ["lorry", PER_ZONE - vans.length],
    ["van", vans.length],
  ]);
});
