// The largest filters that the API accepts. A server bounds the number of fields of a request, their size, the size
// of a query's text and of its plan, and so does the embedded engine.
import { beforeAll, expect, test } from "vitest";
import { readFilter } from "../../../projections/filters/read-filter.ts";
import { detectionsCount, detectionsPage } from "../../../projections/history/queries/detections.ts";
import { intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { tracksByIds, tracksCount, tracksPage } from "../../../projections/history/queries/tracks.ts";
import type { DetectionFilter, FilterTrackInput } from "../../../schemas/filters.ts";
import { createDatabase, type Database, fillInAnyOrder } from "./database.ts";
import { createWorld, seeded, taggedNow, withOwnIds } from "./world.ts";

const BAD_INPUT = expect.objectContaining({ code: "BAD_USER_INPUT" });

const LONG = 20_000;
const MANY = 5_000;
const LIMITS = { maxValues: LONG, maxBranches: 1_000 };
const world = createWorld(41);
const [track] = withOwnIds(world);
if (track === undefined) throw new Error("an empty world");
const { trackId, dataSourceId } = track;
/** These ids are as long as the usual ids of tracks. The id that matches comes after them. */
const others = Array.from({ length: LONG - 1 }, (_, i) => `0198c0de-0000-7000-8000-${String(i).padStart(12, "0")}`);
const ids = [...others, trackId];
const tags = [...others.map((id) => `it's ${id}`), track.tag.toUpperCase()];
let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  await fillInAnyOrder(database, world, seeded(42), 3);
});

const history = (sources: readonly string[] = []) => ({ client: database.client, dataSourceIds: () => sources });

async function tracksOf(filter: FilterTrackInput, sources?: readonly string[]): Promise<string[]> {
  const { edges } = await tracksPage(history(sources), { filter, sort: [], first: 1_000 });
  return edges.map(({ node }) => node.trackId);
}

async function detectionsOf(filter: DetectionFilter): Promise<string[]> {
  const { edges } = await detectionsPage(history(), { filter, sort: [], first: 10_000 });
  return [...new Set(edges.map(({ node }) => trackKeyOf(node)))];
}

const allOfSource = world.tracks.filter((each) => each.dataSourceId === dataSourceId).map((each) => each.trackId);
const all = world.tracks.map((each) => each.trackId);
const sameTag = world.tracks.filter(({ tag }) => tag.toLowerCase() === track.tag.toLowerCase());
const ofTag = sameTag.map((each) => each.trackId);

test("a list of 20 000 values finds what a short one finds, in every field", async () => {
  expect(await tracksOf({ id: { in: ids } })).toEqual([trackId]);
  expect(await tracksCount(history(), { id: { in: ids } })).toBe(1);
  expect((await tracksOf({ dataSourceId: { in: [...others, dataSourceId] } })).sort()).toEqual(allOfSource.sort());
  expect((await tracksOf({ tag: { in: tags } })).sort()).toEqual(ofTag.sort());
  expect((await tracksOf({ deviceId: { in: ["any"] } }, [...others, dataSourceId])).sort()).toEqual(allOfSource.sort());
  expect(await tracksOf({ modelId: { in: others } })).toEqual([]);
  expect(await tracksOf({ identifier: { value: { in: others } }, attribute: { value: { in: others } } })).toEqual([]);
  expect((await tracksByIds(database.client, ids)).map((each) => each.trackId)).toEqual([trackId]);
});

test("a list of 20 000 values works for detections and intersections", async () => {
  const seen = new Set(world.detections.map(trackKeyOf));
  const [zone] = world.intersections.map(({ zoneId }) => zoneId);

  expect(await detectionsOf({ trackId: { in: ids } })).toEqual(seen.has(trackKeyOf(track)) ? [trackKeyOf(track)] : []);
  expect(await detectionsOf({ tag: { in: tags } })).toHaveLength(
    sameTag.filter((each) => seen.has(trackKeyOf(each))).length,
  );
  expect(await detectionsCount(history(), { zoneId: { in: others } })).toBe(0);
  const filter = {
    zoneId: { in: [...others, zone ?? ""] },
    tag: { in: [...tags, ...world.tracks.map(({ tag }) => tag)] },
  };
  const { edges } = await intersectionsPage(history(), { filter, sort: [], first: 1_000 });
  expect(edges.map(({ node }) => node.zoneId)).toEqual(
    world.intersections.filter(({ zoneId }) => zoneId === zone).map(({ zoneId }) => zoneId),
  );
});

test("5 000 values beside one another find what a list of them finds", async () => {
  const some = ids.slice(-MANY);
  const merged = (filter: FilterTrackInput) => tracksOf(readFilter(filter, LIMITS));

  expect(await merged({ or: some.map((id) => ({ id: { eq: id } })) })).toEqual([trackId]);
  expect((await merged({ or: tags.map((tag) => ({ tag: { eq: tag } })) })).sort()).toEqual(ofTag.sort());
  expect((await merged({ and: some.map((id) => ({ id: { ne: id } })) })).sort()).toEqual(
    all.filter((id) => id !== trackId).sort(),
  );
});

test("1 000 alternatives of several conditions find what each of them finds", async () => {
  const some = ids.slice(-1_000);
  const between = [track.startTime, track.startTime];
  const source = { dataSourceId: { eq: dataSourceId } };

  expect(await tracksOf({ or: some.map((id) => ({ id: { eq: id }, ...source, time: { between } })) })).toEqual([
    trackId,
  ]);
});

test("200 alternatives about the tags of intersections find what each of them finds", async () => {
  const or = tags.slice(-200).map((tag) => ({ tag: { like: tag } }));

  const { edges } = await intersectionsPage(history(), { filter: { or }, sort: [], first: 1_000 });

  const found = taggedNow(world).filter(({ tag }) => tag.toLowerCase().includes(track.tag.toLowerCase()));
  expect(edges.map(({ node }) => node.intersectionId).sort()).toEqual(
    found.map(({ intersectionId }) => intersectionId).sort(),
  );
});

test("a polygon of 10 000 points, and one of thousands of rings", async () => {
  const circle = (points: number, radius: number) =>
    Array.from({ length: points + 1 }, (_, i) => {
      const angle = (2 * Math.PI * (i % points)) / points;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });
  const located = new Set(world.detections.filter(({ position }) => position !== null).map(trackKeyOf));
  const inside = (coordinates: number[][][]) => detectionsOf({ position: { in: { type: "Polygon", coordinates } } });
  const square = (at: number) => [
    [at, -80],
    [at + 0.001, -80],
    [at + 0.001, -79.9],
    [at, -80],
  ];

  const round = await inside([circle(10_000, 179)]);
  expect(round.sort()).toEqual((await inside([circle(100, 179)])).sort());
  expect(round.every((id) => located.has(id))).toBe(true);
  expect(round.length).toBeGreaterThan(0);
  expect(
    (await inside([circle(4_000, 179), ...Array.from({ length: 1_500 }, (_, i) => square(i / 100))])).sort(),
  ).toEqual(round);
});

test("a filter whose text is too long for a server is refused, not tried", async () => {
  const or = ids.map((id) => ({ id: { eq: id }, identifier: { value: { eq: id } }, attribute: { value: { eq: id } } }));

  await expect(tracksOf({ or })).rejects.toThrow(BAD_INPUT);
});
