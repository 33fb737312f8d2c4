// Images as a client reads them, against the same computed in plain TypeScript.
import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../projections/filters/compile.ts";
import { matches } from "../../../projections/filters/match.ts";
import { nearestImage } from "../../../projections/history/queries/nearest-image.ts";
import { type ImageRecord, imageFields, imageHistory } from "../../../projections/history/records/image.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { FilterImageInput, ImagesSort } from "../../../schemas/filters.ts";
import { imageId } from "../../../schemas/identity.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { anyImageFilter } from "../../support/random/any-filters.ts";
import { any, chance } from "../../support/random/any-values.ts";
import { agree } from "./agree.ts";
import { createDatabase, type Database } from "./database.ts";
import { every, instant, text, when } from "./matches.ts";
import { pick, seeded, shuffled } from "./world.ts";

const FILTERS = Number(process.env["FILTERS"] ?? 500);
const random = seeded(37);
const dataSourceIds = () => [];

function anyImage(_: unknown, i: number): ImageRecord {
  const dataSourceId = chance(random, 0.2) ? null : pick(random, any.sources);
  const timestamp = chance(random, 0.2) ? null : any.time(random);
  // Several share their bytes.
  const sha256 = String(i % 400);
  return { imageId: imageId(sha256, dataSourceId, timestamp), dataSourceId, timestamp, path: `images/${sha256}.png` };
}

const log = Array.from({ length: 1_500 }, anyImage);
const distinct = [...new Map(log.map((each) => [each.imageId, each])).values()];
let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  const store = createHistoryStore(database.client);
  for (const [partition, round] of [log, shuffled(random, log)].entries()) {
    const rows = createGathered();
    for (const [offset, image] of round.entries()) {
      // The width says which one it is.
      const width = distinct.findIndex((each) => each.imageId === image.imageId);
      const event = { ...image, fileName: null, width, height: 3 };
      rows.add({ type: "ImageStored", event }, { partition: 0, offset, recordedAt: 0 });
    }
    const covered = { topic: "any", partition, logId: "any", rankBase: 0, first: 0, next: round.length };
    await store.insert(rows.byTable(), [covered]);
  }
});

const history = () => ({ client: database.client, dataSourceIds });

const fulfils = (filter: FilterImageInput, one: ImageRecord): boolean =>
  every(
    filter,
    [
      when(filter.id, (id) => text(one.imageId, id)),
      when(filter.dataSourceId, (id) => text(one.dataSourceId, id)),
      when(filter.timestamp, (time) =>
        one.timestamp === null ? time.attributeExists === false : instant(one.timestamp, time),
      ),
    ],
    (inner) => fulfils(inner, one),
  );

/** Missing values are greater than all others. */
function inOrder(sort: readonly ImagesSort[]) {
  const sortedBy = (image: ImageRecord, { field }: ImagesSort) =>
    field === "ID" ? image.imageId : field === "TIMESTAMP" ? image.timestamp : image.dataSourceId;
  return (a: ImageRecord, b: ImageRecord): number => {
    for (const each of [...sort, { field: "ID", direction: "ASC" } as const]) {
      const [x, y] = [sortedBy(a, each), sortedBy(b, each)];
      if (x === y) continue;
      const isLess = x !== null && (y === null || x < y);
      return (isLess ? -1 : 1) * (each.direction === "ASC" ? 1 : -1);
    }
    return 0;
  };
}

async function walk(filter: FilterImageInput, sort: readonly ImagesSort[]) {
  const found: ImageRecord[] = [];
  for (let after: string | undefined; ; ) {
    const page = await imageHistory.page(history(), { filter, sort, first: 97, after });
    found.push(...page.edges.map(({ node }) => node));
    if (!page.hasNextPage) return found;
    after = page.edges.at(-1)?.cursor;
  }
}

describe.each<[string, ImagesSort[], FilterImageInput]>([
  ["by time", [{ field: "TIMESTAMP", direction: "ASC" }], {}],
  ["the newest first", [{ field: "TIMESTAMP", direction: "DESC" }], {}],
  ["by id", [{ field: "ID", direction: "DESC" }], {}],
  [
    "by data source, then time",
    [
      { field: "DATA_SOURCE_ID", direction: "ASC" },
      { field: "TIMESTAMP", direction: "DESC" },
    ],
    {},
  ],
  ["by data source, the last first", [{ field: "DATA_SOURCE_ID", direction: "DESC" }], {}],
  ["of a data source", [{ field: "TIMESTAMP", direction: "DESC" }], { dataSourceId: { eq: "ds-b" } }],
  ["of other data sources", [], { dataSourceId: { ne: "ds-b" } }],
  ["without a time", [], { timestamp: { attributeExists: false } }],
  ["of no known name", [], { id: { in: [] } }],
])("images %s", (_, sort, filter) => {
  test("are on the pages, each once, and counted", async () => {
    const expected = distinct.filter((each) => fulfils(filter, each)).sort(inOrder(sort));

    expect(await walk(filter, sort)).toEqual(expected);
    expect(await imageHistory.count(history(), filter)).toBe(expected.length);
  });
});

test("filters mean the same in SQL and in memory", { timeout: 1_200_000 }, async () => {
  await agree(
    {
      database,
      from: "(SELECT *, source_key FROM images_v1 FINAL)",
      number: "toUInt64(width)",
      objects: distinct,
      anyFilter: anyImageFilter(distinct.map((each) => each.imageId)),
      matches: (filter, image) => matches(imageFields, filter, image),
      compile: (params, filter) => compile(imageFields, filter, { params, dataSourceIds }),
    },
    random,
    FILTERS,
  );
});

test("images are found by their ids", async () => {
  const wanted = distinct.slice(0, 40);

  const found = await imageHistory.byIds(database.client, ["unknown", ...wanted.map((each) => each.imageId)]);

  expect(new Set(found)).toEqual(new Set(wanted));
});

test("the image nearest to an instant is the nearest one of all", async () => {
  for (let i = 0; i < 50; i++) {
    const [source, at, withinMs] = [pick(random, any.sources), any.time(random) + 37, pick(random, [50, 300, 1_000])];
    const distances = distinct.flatMap(({ dataSourceId, timestamp }) =>
      dataSourceId === source && timestamp !== null ? [Math.abs(timestamp - at)] : [],
    );
    const least = Math.min(...distances);

    const found = await nearestImage(database.client, source, { at, withinMs });

    expect(found?.dataSourceId).toBe(least > withinMs ? undefined : source);
    if (found?.timestamp != null) expect(Math.abs(found.timestamp - at)).toBe(least);
  }
});
