import { expect, test } from "vitest";
import type { DeviceFields } from "../../../../schemas/catalog/device.ts";
import { createBudget } from "../../../../services/api/graphql/budget.ts";
import { dataSourceCreated } from "../../../support/scenes/catalog.ts";
import { zone } from "../../../support/scenes/zone.ts";
import { createEntityApi } from "./entity-api.ts";

const nothing = { pointOfInterestId: null, transcoderId: null, externalId: null, address: null, position: null };
const REFUSED = {
  data: null,
  errors: [
    { message: expect.stringContaining("may produce more than 1000 objects"), extensions: { code: "BAD_USER_INPUT" } },
  ],
};

/** A site with devices and a data source with zones; an operation may produce 1000 objects. */
async function createHarbour({ devices = 0, zones = 0 }) {
  const api = await createEntityApi({ env: { API_MAX_COST: "1000" } });
  await api.data('mutation { createSite(site: { id: "s", name: "Harbour" }) { id } }');
  api.catalog.applyOwn(dataSourceCreated("d"), 999);
  for (let i = 0; i < devices; i++) {
    const set: DeviceFields = { ...nothing, name: `n${i}`, enabled: true, dataSourceId: "d", siteId: "s" };
    const event = { id: `c${i}`, change: "created", at: 1, cleared: [], set } as const;
    api.catalog.applyOwn({ type: "DeviceChanged", event }, 1_000 + i);
  }
  for (let i = 0; i < zones; i++) {
    const at = { partition: 0, offset: i, movedTo: null, refusal: null };
    api.zones.apply({ ...at, zoneId: `z${i}`, dataSourceId: "d", zone: zone({ zoneId: `z${i}`, dataSourceId: "d" }) });
  }
  return api;
}

const DEVICES = "devices { site { devices { id } } }";
const ZONES = "zones { dataSource { zones { id } } }";

test("lists from memory within lists are counted by what they hold", async () => {
  const { ask } = await createHarbour({ devices: 31, zones: 31 });

  // 31 and 31 * 31.
  for (const query of [`{ site(id: "s") { ${DEVICES} } }`, `{ dataSource(id: "d") { ${ZONES} } }`]) {
    expect((await ask(query)).body.errors).toBeUndefined();
  }
});

test.each([
  ["devices of a site", `{ site(id: "s") { ${DEVICES} } }`],
  ["zones of a data source", `{ dataSource(id: "d") { ${ZONES} } }`],
  ["both, together", '{ site(id: "s") { devices { dataSource { zones { id } } } } }'],
  ["the answer to a mutation", `mutation { updateSite(site: { id: "s", name: "Port" }) { ${DEVICES} } }`],
])("%s beyond what an operation may produce are refused as a whole, with one error", async (_case, query) => {
  const { ask } = await createHarbour({ devices: 32, zones: 32 });

  expect((await ask(query)).body).toMatchObject(REFUSED);
});

test("what a mutation wrote is said also when its answer is refused", async () => {
  const { ask, data } = await createHarbour({ devices: 32 });

  const { body } = await ask(`mutation { updateSite(site: { id: "s", name: "Port" }) { ${DEVICES} } }`);

  expect(body.extensions.position).toMatch(/^catalog:0:/);
  expect(await data('{ site(id: "s") { name } }')).toEqual({ site: { name: "Port" } });
});

test("every operation has a budget of its own", async () => {
  const { ask } = await createHarbour({ devices: 31 });
  const query = `{ site(id: "s") { ${DEVICES} } }`;

  for (let i = 0; i < 3; i++) expect((await ask(query)).body.errors).toBeUndefined();
});

test("a large operation leaves others their turn between its lists", async () => {
  const { give } = createBudget(10_000);
  const list = Array.from({ length: 600 }, (_, i) => i);
  const order: string[] = [];
  const then = (name: string) => () => order.push(name);

  expect(give(list)).toBe(list);
  const second = Promise.resolve(give(list)).then(then("second list"));
  setImmediate(then("another client"));
  const third = Promise.resolve(give(list)).then(then("third list"));

  await Promise.all([second, third]);
  expect(order).toEqual(["second list", "another client", "third list"]);
});
