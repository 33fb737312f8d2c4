// A token with the scope `write` alone, against objects that are there already.
import { expect, test } from "vitest";
import type { Catalog } from "../../../../projections/catalog/catalog.ts";
import type { Scope } from "../../../../schemas/catalog/token.ts";
import type { LogPosition } from "../../../../schemas/log-position.ts";
import { deviceCreated } from "../../../support/scenes/catalog.ts";
import { createEntityApi } from "./entity-api.ts";
import { open } from "./support.ts";
import { CREATE_ZONE, createZoneApi, ring } from "./zone-api.ts";

test.each([
  [
    "a site",
    "mutation ($it: CreateSiteInput!) { it: createSite(site: $it) { id name timezone position { coordinates } } }",
    { name: "secret", timezone: "Europe/Berlin", position: { coordinates: [13, 52] } },
    { id: "a", name: "own" },
    { id: "a", name: "own", timezone: "UTC", position: null },
  ],
  [
    "a device",
    "mutation ($it: CreateDeviceInput!) { it: createDevice(device: $it) { id name address enabled } }",
    { name: "secret", address: "10.0.0.7", enabled: false },
    { id: "a", name: "own", enabled: true },
    { id: "a", name: "own", address: null, enabled: true },
  ],
])(
  "a repeated creation of %s answers a token with write alone from its own input",
  async (_name, query, there, given, shown) => {
    const { ask, data, token, written } = await createEntityApi();
    await data(query, { it: { id: "a", ...there } });
    const before = written();

    const { body } = await ask(query, { it: given }, token("write"));

    expect(body).toEqual({ data: { it: shown } });
    expect(written()).toBe(before);
    expect((await data(query, { it: given })).it).toMatchObject(there);
  },
);

test("a repeated creation of a zone answers a token with write alone from its own input", async () => {
  const { ask, token, createDataSource, createZone, zone } = await createZoneApi();
  const dataSourceId = await createDataSource("Yard");
  await createZone(dataSourceId, 5, { id: "z", name: "secret" });
  const again = { id: "z", dataSourceId, name: "own", polygon: { coordinates: [ring(5)] } };

  const { body } = await ask(CREATE_ZONE, { zone: again }, token("write"));

  expect(body).toEqual({ data: { createZone: { id: "z", name: "own" } } });
  expect(await zone("z")).toMatchObject({ name: "secret" });
});

test("a conflict has the ids of what refers to the object for a token that may read, and for no other", async () => {
  const { ask, data, refusal, token } = await createEntityApi();
  await data('mutation { createSite(site: {id: "s", name: "Harbour"}) { id } }');
  await data('mutation { createDevice(device: {id: "d", name: "Door", enabled: true, siteId: "s"}) { id } }');
  const remove = 'mutation { deleteSite(id: "s") { id } }';

  expect(await refusal(remove)).toEqual({ code: "CONFLICT", referrers: ["d"] });
  const { body } = await ask(remove, {}, token("write"));
  expect(body.errors[0].extensions).toEqual({ code: "CONFLICT" });
});

test("a refusal does not say where a point of interest is, nor which device has a data source", async () => {
  const { ask, data, token } = await createEntityApi();
  await data(
    'mutation { a: createSite(site: {id: "hidden", name: "A"}) { id } b: createSite(site: {id: "b", name: "B"}) { id } }',
  );
  const point = '{id: "p", siteId: "hidden", name: "P", position: {coordinates: [0, 0]}}';
  await data(`mutation { createPointOfInterest(pointOfInterest: ${point}) { id } }`);
  await data('mutation { createDevice(device: {id: "hidden", name: "D", enabled: true}) { id } }');
  const headers = token("write");
  const messageOf = async (device: string) =>
    (await ask(`mutation { createDevice(device: ${device}) { id } }`, {}, headers)).body.errors[0].message;

  expect(await messageOf('{name: "x", enabled: true, siteId: "b", pointOfInterestId: "p"}')).toBe(
    "point of interest p is in another site",
  );
  expect(await messageOf('{name: "x", enabled: true, dataSourceId: "hidden"}')).toBe(
    "data source hidden is that of another device",
  );
});

test("a refusal by the log does not say which device has the data source, but for a token that may read", async () => {
  const race: { catalog?: Catalog } = {};
  /** Another instance's device comes before the one that the client has just written. */
  const readLog = async ([written]: readonly LogPosition[]) => {
    const { catalog } = race;
    if (written === undefined || catalog?.get("device", "mine") === undefined) return;
    catalog.apply(deviceCreated("hidden", { dataSourceId: "yard" }), written.offset - 1);
    catalog.apply(deviceCreated("mine", { dataSourceId: "yard" }), written.offset);
  };
  const answer = async (...scopes: Scope[]) => {
    const { ask, data, catalog, token } = await createEntityApi({ gate: { ...open, catalog: readLog } });
    race.catalog = catalog;
    await data('mutation { createDataSource(dataSource: {id: "yard", name: "Yard", type: FOLDER}) { id } }');
    const device = '{id: "mine", name: "x", enabled: true, dataSourceId: "yard"}';
    const { body } = await ask(`mutation { createDevice(device: ${device}) { id } }`, {}, token(...scopes));
    const [{ message, extensions }] = body.errors;
    return { message, extensions };
  };
  const message = "device mine is refused: set.dataSourceId: that of another one";

  expect(await answer("write")).toEqual({ message, extensions: { code: "CONFLICT" } });
  expect(await answer("read", "write")).toEqual({ message, extensions: { code: "CONFLICT", referrers: ["hidden"] } });
});
