import { expect, test } from "vitest";
import { dataSourceCreated } from "../../../support/scenes/catalog.ts";
import { square } from "../../../support/scenes/zone.ts";
import { createEntityApi } from "./entity-api.ts";

const SITE = "mutation ($site: CreateSiteInput!) { createSite(site: $site) { id } }";
const ZONE = "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }";
const DATA_SOURCE =
  "mutation ($dataSource: CreateDataSourceInput!) { createDataSource(dataSource: $dataSource) { labels } }";

const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
const crs = (properties: object) => ({ properties });
const large = crs({ name: "x".repeat(1_024) });
const deep = crs(nested(3_000));

test.each([
  ["a large crs of a position", { position: { coordinates: [1, 2], crs: large } }, ["position", "crs"]],
  ["a deep crs of a position", { position: { coordinates: [1, 2], crs: deep } }, ["position", "crs"]],
  ["a large crs of a polygon", { polygon: { coordinates: [[square(10)]], crs: large } }, ["polygon", "crs"]],
])("%s is refused", async (_case, fields, path) => {
  const { refusal, data } = await createEntityApi();

  expect(await refusal(SITE, { site: { name: "Harbour", ...fields } })).toEqual({
    code: "BAD_USER_INPUT",
    path: ["site", ...path],
  });
  expect((await data("{ sites { totalCount } }")).sites.totalCount).toBe(0);
});

test("an ordinary crs is kept", async () => {
  const { data } = await createEntityApi();
  const site = { id: "s", name: "Harbour", position: { coordinates: [1, 2], crs: crs({ name: "EPSG:4326" }) } };

  await data(SITE, { site });

  expect(await data('{ site(id: "s") { position { crs { properties } } } }')).toEqual({
    site: { position: { crs: { properties: { name: "EPSG:4326" } } } },
  });
});

test("a zone's crs is bounded as well", async () => {
  const { refusal, catalog } = await createEntityApi();
  catalog.applyOwn(dataSourceCreated("d1"), 0);

  for (const each of [large, deep]) {
    const zone = { name: "Gate", dataSourceId: "d1", polygon: { coordinates: [square(10)], crs: each } };
    expect(await refusal(ZONE, { zone })).toEqual({ code: "BAD_USER_INPUT", path: ["zone", "polygon", "crs"] });
  }
});

test("a list has at most 1000 labels", async () => {
  const { data, refusal } = await createEntityApi();
  const labels = Array.from({ length: 1_001 }, (_, i) => `l${i}`);
  const create = (some: readonly string[]) => ({ dataSource: { name: "Yard", type: "FOLDER", labels: some } });

  expect(await refusal(DATA_SOURCE, create(labels))).toEqual({
    code: "BAD_USER_INPUT",
    path: ["dataSource", "labels"],
  });
  expect((await data(DATA_SOURCE, create(labels.slice(1)))).createDataSource.labels).toHaveLength(1_000);
});

test("all polygons of a site together have at most MAX_ZONE_VERTICES", async () => {
  const { ask, data } = await createEntityApi({ env: { MAX_ZONE_VERTICES: "10" } });
  const site = (polygons: number) => ({
    site: { name: "Harbour", polygon: { coordinates: Array.from({ length: polygons }, (_, i) => [square(1, 2 * i)]) } },
  });

  await data(SITE, site(2));
  expect((await ask(SITE, site(3))).body.errors).toMatchObject([
    {
      message: "the polygons have 15 vertices, the limit is 10 (MAX_ZONE_VERTICES)",
      extensions: { code: "BAD_USER_INPUT", path: ["site", "polygon", "coordinates"] },
    },
  ]);
});

test("a conflict lists a hundred of what refers to the object, and says that there are more", async () => {
  const { ask, data } = await createEntityApi();
  await data(SITE, { site: { id: "s", name: "Harbour" } });
  const create = "mutation ($device: CreateDeviceInput!) { createDevice(device: $device) { id } }";
  for (let i = 0; i < 101; i++)
    await data(create, { device: { id: `c${i}`, name: "Door", enabled: true, siteId: "s" } });

  const [error] = (await ask('mutation { deleteSite(id: "s") { id } }')).body.errors;

  expect(error.message).toBe("site s is referred to by more than 100 others");
  expect(error.extensions.referrers).toHaveLength(100);
});
