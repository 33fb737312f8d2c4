import { beforeAll, expect, test } from "vitest";
import { detectionsCount, detectionsPage } from "../../../projections/history/queries/detections.ts";
import { intersectionsCount, intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import type { DataSourceIds, DetectionRecord } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { tracksCount, tracksPage } from "../../../projections/history/queries/tracks.ts";
import { howMany } from "../../support/random/how-many.ts";
import { createDatabase, type Database, fillInAnyOrder } from "./database.ts";
import { detectionMatches, intersectionMatches, trackMatches } from "./matches.ts";
import { detectionFilter, intersectionFilter, trackFilter } from "./random-filters.ts";
import { createWorld, seeded, sources, taggedNow } from "./world.ts";

const FILTERS = howMany({ short: 60, full: 150 });
const world = createWorld(7);
let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  await fillInAnyOrder(database, world, seeded(8), 4);
});

const none: DataSourceIds = () => [];
const history = (dataSourceIds = none) => ({ client: database.client, dataSourceIds });
const whole = { sort: [], first: 10_000 };
const answer = (filter: object, ids: readonly string[]) => ({ filter, ids: [...ids].sort() });

test("filters on tracks mean in SQL what they mean in words", async () => {
  const random = seeded(11);
  for (let i = 0; i < FILTERS; i++) {
    const filter = trackFilter(random);
    const expected = world.tracks.filter((track) => trackMatches(world, track, filter));
    const { edges } = await tracksPage(history(), { filter, ...whole });
    const found = edges.map(({ node }) => trackKeyOf(node));
    expect(answer(filter, found)).toEqual(answer(filter, expected.map(trackKeyOf)));
    if (i % 10 === 0) expect(await tracksCount(history(), filter)).toBe(expected.length);
  }
});

test("filters on detections mean in SQL what they mean in words", async () => {
  const random = seeded(12);
  const name = (detection: DetectionRecord) => `${trackKeyOf(detection)}@${detection.timestamp}`;
  for (let i = 0; i < FILTERS; i++) {
    const filter = detectionFilter(random);
    const expected = world.detections.filter((detection) => detectionMatches(world, detection, filter));
    const { edges } = await detectionsPage(history(), { filter, ...whole });
    const found = edges.map(({ node }) => name(node));
    expect(answer(filter, found)).toEqual(answer(filter, expected.map(name)));
    if (i % 10 === 0) expect(await detectionsCount(history(), filter)).toBe(expected.length);
  }
});

test("filters on intersections mean in SQL what they mean in words", async () => {
  const random = seeded(13);
  for (let i = 0; i < FILTERS; i++) {
    const filter = intersectionFilter(random);
    const expected = taggedNow(world).filter((record) => intersectionMatches(record, filter));
    const { edges } = await intersectionsPage(history(), { filter, ...whole });
    const found = edges.map(({ node }) => node.intersectionId);
    expect(answer(filter, found)).toEqual(
      answer(
        filter,
        expected.map(({ intersectionId }) => intersectionId),
      ),
    );
    if (i % 10 === 0) expect(await intersectionsCount(history(), filter)).toBe(expected.length);
  }
});

test("filters on the data source are answered by whoever knows the data sources", async () => {
  const asked: unknown[] = [];
  const dataSourceIds: DataSourceIds = (predicate) => {
    asked.push(predicate);
    return sources.slice(0, 1);
  };
  const count = (filter: object) => tracksCount(history(dataSourceIds), filter);
  const ofFirst = world.tracks.filter(({ dataSourceId }) => dataSourceId === sources[0]).length;

  expect(await count({ dataSourceType: { eq: "FOLDER" } })).toBe(ofFirst);
  expect(await count({ dataSourceType: { ne: "FOLDER" } })).toBe(world.tracks.length - ofFirst);
  expect(await count({ dataSourceLabels: { in: ["north"] } })).toBe(ofFirst);
  expect(await count({ siteId: { eq: "s" }, not: { pointOfInterestId: { in: ["p"] } } })).toBe(0);
  expect(await detectionsCount(history(dataSourceIds), { deviceId: { eq: "d" } })).toBe(
    world.detections.filter(({ dataSourceId }) => dataSourceId === sources[0]).length,
  );
  expect(asked).toEqual([
    { field: "type", filter: { eq: "FOLDER" } },
    { field: "type", filter: { eq: "FOLDER" } },
    { field: "labels", filter: { in: ["north"] } },
    { field: "siteId", filter: { eq: "s" } },
    { field: "pointOfInterestId", filter: { in: ["p"] } },
    { field: "deviceId", filter: { eq: "d" } },
  ]);
});

test("values with quotes, backslashes and line breaks stay values", async () => {
  for (const hostile of ["' OR 1=1 --", "\\", "\\'", "a\nb\tc", "{p1:String}", "%", "\u0000", "ü😀"]) {
    expect(await tracksCount(history(), { tag: { eq: hostile } })).toBe(0);
    expect(await tracksCount(history(), { id: { in: [hostile, "track-0-0"] } })).toBe(1);
    expect(await tracksCount(history(), { tag: { ne: hostile } })).toBe(world.tracks.length);
  }
});

test("a thousand ids fit into one question", async () => {
  const ids = Array.from({ length: 2_000 }, (_, i) => `00000000-0000-0000-0000-${String(i).padStart(12, "0")}`);

  expect(await tracksCount(history(), { id: { in: [...ids, "track-1-1"] } })).toBe(1);
});
