import { beforeAll, describe, expect, test } from "vitest";
import { detectionsPage } from "../../../projections/history/queries/detections.ts";
import { intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import type { Page } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { tracksPage } from "../../../projections/history/queries/tracks.ts";
import type { DetectionOrder, SortDirection, TracksSort, ZoneIntersectionsSort } from "../../../schemas/filters.ts";
import { createDatabase, type Database, fillInAnyOrder } from "./database.ts";
import { createWorld, seeded } from "./world.ts";

const BAD_INPUT = expect.objectContaining({ code: "BAD_USER_INPUT" });

const world = createWorld(21);
let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  await fillInAnyOrder(database, world, seeded(22), 3);
});

const history = () => ({ client: database.client, dataSourceIds: () => [] });

async function walk<T>(pageAfter: (after: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  for (let after: string | undefined; ; ) {
    const page = await pageAfter(after);
    expect(page.hasPreviousPage).toBe(after !== undefined);
    found.push(...page.edges.map(({ node }) => node));
    if (!page.hasNextPage) return found;
    after = page.edges.at(-1)?.cursor;
  }
}

type Key = string | number;

/** A comparison by the given keys, each in its direction. */
function byKeys<T>(...keys: readonly (readonly [key: (item: T) => Key, direction: SortDirection])[]) {
  return (a: T, b: T): number => {
    for (const [key, direction] of keys) {
      const [x, y] = [key(a), key(b)];
      if (x !== y) return (x < y ? -1 : 1) * (direction === "ASC" ? 1 : -1);
    }
    return 0;
  };
}

const directions: readonly SortDirection[] = ["ASC", "DESC"];
const mixes = directions.flatMap((a) => directions.map((b) => [a, b] as const));

describe.each(mixes)("pages sorted %s, then %s", (lead, second) => {
  test("of tracks join to the whole", async () => {
    const sort: TracksSort[] = [
      { field: "TRACK_START_TIME", direction: lead },
      { field: "ID", direction: second },
    ];
    const found = await walk((after) => tracksPage(history(), { filter: {}, sort, first: 5, after }));
    const expected = [...world.tracks].sort(
      byKeys([(t) => t.startTime, lead], [(t) => t.trackId, second], [(t) => t.dataSourceId, "ASC"]),
    );
    expect(found.map(trackKeyOf)).toEqual(expected.map(trackKeyOf));
  });

  test("of detections join to the whole, whichever column leads", async () => {
    for (const field of ["DETECTION_TIME", "GLOBAL_TRACK_ID", "TRACK_ID"] as const) {
      const other = field === "DETECTION_TIME" ? "TRACK_ID" : "DETECTION_TIME";
      const sort: DetectionOrder[] = [
        { field, direction: lead },
        { field: other, direction: second },
      ];
      const filter = { dataSourceId: { in: ["ds-a", "ds-c"] } };
      const found = await walk((after) => detectionsPage(history(), { filter, sort, first: 60, after }));

      const expected = world.detections
        .filter(({ dataSourceId }) => dataSourceId !== "ds-b")
        .sort(
          field === "DETECTION_TIME"
            ? byKeys([(d) => d.timestamp, lead], [(d) => d.trackId, second], [(d) => d.dataSourceId, "ASC"])
            : byKeys([(d) => d.trackId, lead], [(d) => d.timestamp, second], [(d) => d.dataSourceId, "ASC"]),
        );
      expect(found).toEqual(expected);
    }
  });

  test("of intersections join to the whole", async () => {
    const sort: ZoneIntersectionsSort[] = [
      { field: "START_TIME", direction: lead },
      { field: "ID", direction: second },
    ];
    const found = await walk((after) => intersectionsPage(history(), { filter: {}, sort, first: 7, after }));

    const expected = [...world.intersections].sort(
      byKeys([(i) => i.startTime, lead], [(i) => i.intersectionId, second]),
    );
    expect(found).toEqual(expected);
  });
});

test("a sort that leaves ties open still gives every row once", async () => {
  const sort: DetectionOrder[] = [{ field: "DETECTION_TIME", direction: "DESC" }];
  const found = await walk((after) => detectionsPage(history(), { filter: {}, sort, first: 3, after }));

  expect(found).toHaveLength(world.detections.length);
  expect(new Set(found.map((each) => `${trackKeyOf(each)}@${each.timestamp}`)).size).toBe(found.length);
});

test("a page that takes exactly the rest has no next one", async () => {
  const page = await tracksPage(history(), { filter: {}, sort: [], first: world.tracks.length });

  expect(page.edges).toHaveLength(world.tracks.length);
  expect(page.hasNextPage).toBe(false);
});

test("a cursor of another filter or sort, and what is no cursor, are refused", async () => {
  const request = { filter: { finished: { eq: false } }, sort: [], first: 1 };
  const [edge] = (await tracksPage(history(), request)).edges;
  const after = edge?.cursor ?? "";
  const ask = (change: object) => tracksPage(history(), { ...request, after, ...change });

  await expect(ask({ filter: { finished: { eq: true } } })).rejects.toThrow(BAD_INPUT);
  await expect(ask({ sort: [{ field: "ID", direction: "DESC" }] })).rejects.toThrow(BAD_INPUT);
  for (const garbage of ["", "x", "bnVsbA", after.slice(0, -8), Buffer.from("[1,2,3]").toString("base64url")]) {
    await expect(ask({ after: garbage })).rejects.toThrow(BAD_INPUT);
  }
  await expect(ask({ filter: { not: null, finished: { ne: null, eq: false } } })).resolves.toBeDefined();
});
