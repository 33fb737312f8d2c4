// Questions about data sources are answered by an index: compared with a walk through all of them, after every change.
import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { answerSources, createDataSourceIds } from "../../../../projections/catalog/data-source-ids.ts";
import { placed } from "../../../../projections/catalog/placed.ts";
import { compile } from "../../../../projections/filters/compile.ts";
import { fieldsOfDataSource, testOfDataSource } from "../../../../projections/filters/of-data-source.ts";
import type { Walk } from "../../../../projections/filters/walk.ts";
import { createParams } from "../../../../projections/history/queries/params.ts";
import type { DataSourceFieldPredicate } from "../../../../projections/history/queries/records.ts";
import type { CatalogEvent } from "../../../../schemas/events.ts";
import { pick, type Random, seeded } from "../../../integration/history/world.ts";
import {
  dataSourceCreated,
  dataSourceDeleted,
  dataSourceUpdated,
  deviceCreated,
} from "../../../support/scenes/catalog.ts";

const SEEDS = 20;
const CHANGES = 60;
const ids = ["a", "b", "c", "d"];
const sites = [null, "s1", "s2"];
const points = [null, "p1", "p2"];
const labels = [null, [], ["x"], ["x", "y"], ["y", "x", "y"]];
const types = ["VIDEO_DEVICE", "FOLDER"] as const;

function anyChange(random: Random): CatalogEvent {
  const id = pick(random, ids);
  const own = { labels: pick(random, labels), type: pick(random, types) };
  const place = { siteId: pick(random, sites), pointOfInterestId: pick(random, points) };
  const device = deviceCreated(`device ${id}`, { ...place, dataSourceId: pick(random, ids) });
  const change = (event: CatalogEvent, change: "updated" | "deleted") =>
    ({ ...event, event: { ...event.event, change, ...(change === "deleted" ? { set: {} } : {}) } }) as CatalogEvent;
  return pick(random, [
    () => dataSourceCreated(id, own),
    () => dataSourceUpdated(id, own),
    () => dataSourceDeleted(id),
    () => device,
    () => change(device, "updated"),
    () => change(device, "deleted"),
  ])();
}

const equalities = [
  ...[{ eq: "s1" }, { ne: "s1" }, { in: ["s1", "s2", "s1"] }, { in: [] }, {}],
  ...[{ eq: "FOLDER" }, { in: ["a", "device a", "z"] }, { eq: "z" }],
  ...[
    { eq: "a", ne: "a" },
    { in: ["p1"], eq: "p1" },
  ],
];
const questions: readonly DataSourceFieldPredicate[] = [
  ...(["siteId", "pointOfInterestId", "deviceId"] as const).flatMap((field) =>
    equalities.map((filter) => ({ field, filter })),
  ),
  ...[
    ...equalities,
    { attributeExists: false },
    { attributeExists: true },
    { like: "fold" },
    { like: "_", ne: "FOLDER" },
  ].map((filter) => ({ field: "type" as const, filter })),
  ...[{ in: ["x"] }, { in: ["x", "y"] }, { in: [] }, { eq: [] }, { eq: ["x", "y"] }, { eq: ["z"] }, {}].map(
    (filter) => ({ field: "labels" as const, filter }),
  ),
];

test.each(Array.from({ length: SEEDS }, (_, i) => i))("seed %i: the index answers what a walk finds", (seed) => {
  const random = seeded(seed);
  const catalog = createCatalog();
  const answer = createDataSourceIds(catalog);
  for (let offset = 0; offset < CHANGES; offset++) {
    const change = anyChange(random);
    if (random() < 0.5) catalog.applyOwn(change, offset);
    catalog.apply(change, offset);

    const sources = [...catalog.all("dataSource")].map((source) => placed(source, catalog));
    expect([...catalog.sources.all()].toSorted(byId)).toEqual(sources.toSorted(byId));
    for (const question of questions) {
      const passes = testOfDataSource(question);
      const found = sources
        .filter((source) => passes({ dataSourceId: source.id, dataSource: source }))
        .map(({ id }) => id);
      // Data sources that the catalog does not know are answered if they are named.
      const named = question.field === "deviceId" ? [question.filter.eq, ...(question.filter.in ?? [])] : [];
      const unknown = [...new Set(named)].filter(
        (id) =>
          id != null && catalog.get("dataSource", id) === undefined && passes({ dataSourceId: id, dataSource: null }),
      );
      expect(answer(question).toSorted(), JSON.stringify(question)).toEqual([...found, ...unknown].toSorted());
    }
  }
});

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);

const atOnce: Walk = async (items, _tests, visit) => {
  for (const item of items) visit(item);
};

function createCameras(count: number) {
  const catalog = createCatalog();
  for (let i = 0; i < count; i++) catalog.apply(dataSourceCreated(`d${i}`, { labels: [`l${i % 10}`] }), i);
  return catalog;
}

test("a filter's questions are all answered before its SQL is written", async () => {
  const catalog = createCameras(100);
  const visits: unknown[] = [];
  const walk: Walk = (items, tests, visit) =>
    atOnce(items, tests, (item) => {
      visits.push(item);
      visit(item);
    });
  const filter = {
    dataSourceLabels: { in: ["l3"] },
    or: [{ siteId: { ne: "s", in: ["t"] } }, { not: { deviceId: { in: ["d1", "unknown"] } } }],
    and: [{ dataSourceType: { eq: "FOLDER", ne: "VIDEO_DEVICE" } }],
  };

  const answer = await answerSources(filter, catalog, walk);
  const walked = visits.length;
  const params = createParams();
  compile(fieldsOfDataSource, filter, { params, dataSourceIds: answer });

  expect(Object.values(params.values)).toContainEqual(["d1", "unknown"]);
  // Ten with the label, one site (none), the two devices, and the types.
  expect(walked).toBeLessThan(20);
  expect(visits).toHaveLength(walked);
});

test("conditions that choose very many data sources, all together, are refused", async () => {
  const catalog = createCameras(1_000);
  const branches = (count: number) => ({
    or: Array.from({ length: count }, () => ({ dataSourceType: { like: "_" } })),
  });

  expect((await answerSources(branches(100), catalog, atOnce))({ field: "type", filter: { like: "_" } })).toHaveLength(
    1_000,
  );
  await expect(answerSources(branches(101), catalog, atOnce)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});
