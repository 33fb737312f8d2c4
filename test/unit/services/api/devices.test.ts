import { expect, test } from "vitest";
import { createDataSourceIds } from "../../../../projections/catalog/data-source-ids.ts";
import { unavailable } from "../../../../schemas/errors.ts";
import { createEntityApi } from "./entity-api.ts";

const DEVICE =
  "id uuid name enabled address position { coordinates } dataSource { id name type } site { name devices { id } }";
const CREATE = `mutation ($device: CreateDeviceInput!) { createDevice(device: $device) { ${DEVICE} } }`;
const UPDATE = `mutation ($device: UpdateDeviceInput!) { updateDevice(device: $device) { ${DEVICE} } }`;

async function createDevices() {
  const api = await createEntityApi();
  await api.data('mutation { createSite(site: { id: "harbour", name: "Harbour" }) { id } }');
  const create = async (device: object) =>
    (await api.data(CREATE, { device: { enabled: true, ...device } })).createDevice;
  return { ...api, create };
}

test("a device without a data source makes its own, and both know each other and the site", async () => {
  const { data, create } = await createDevices();
  const made = await create({ name: "Door", siteId: "harbour", position: { coordinates: [13, 52, 4] } });

  expect(made).toEqual({
    ...{ id: made.id, uuid: made.id, name: "Door", enabled: true, address: null },
    position: { coordinates: [13, 52, 4] },
    dataSource: { id: made.id, name: "Door", type: "VIDEO_DEVICE" },
    site: { name: "Harbour", devices: [{ id: made.id }] },
  });
  expect(
    await data(`{ dataSource(id: "${made.id}") { device { id } } site(id: "harbour") { devices { name } } }`),
  ).toEqual({
    dataSource: { device: { id: made.id } },
    site: { devices: [{ name: "Door" }] },
  });
});

test("a device may be given its data source, which then has no other device", async () => {
  const { data, create, refusal } = await createDevices();
  await data('mutation { createDataSource(dataSource: { name: "Yard", type: IMAGE_DEVICE }) { id } }');
  const [{ node }] = (await data("{ dataSources { edges { node { id } } } }")).dataSources.edges;

  expect(await create({ name: "Door", dataSourceId: node.id })).toMatchObject({
    dataSource: { id: node.id, name: "Yard" },
  });
  const device = { name: "Second", enabled: true, dataSourceId: node.id };
  expect(await refusal(CREATE, { device })).toEqual({ code: "BAD_USER_INPUT", path: ["device", "dataSourceId"] });
  expect((await data("{ devices { totalCount } }")).devices.totalCount).toBe(1);
});

test("a repeated creation completes one that was half done, and a refused one writes nothing", async () => {
  const { data, create, refusal } = await createDevices();
  await create({ id: "d1", name: "Door" });
  expect(await create({ id: "d1", name: "other" })).toMatchObject({ id: "d1", name: "Door" });

  const device = { id: "d2", name: "Gate", enabled: true };
  const coordinates = [0, 91];
  expect(await refusal(CREATE, { device: { ...device, position: { coordinates } } })).toMatchObject({
    code: "BAD_USER_INPUT",
  });
  expect(await refusal(CREATE, { device: { ...device, siteId: "none" } })).toEqual({
    code: "NOT_FOUND",
    path: ["device", "siteId"],
  });
  expect(await refusal(CREATE, { device: { ...device, pointOfInterestId: "p" } })).toMatchObject({ code: "NOT_FOUND" });
  expect((await data("{ dataSources { totalCount } devices { totalCount } }")).dataSources.totalCount).toBe(1);
});

test("a site and a data source that a device refers to are not deleted; a device leaves its data source", async () => {
  const { data, create, refusal } = await createDevices();
  const { id } = await create({ name: "Door", siteId: "harbour" });
  const conflict = { code: "CONFLICT", referrers: [id] };

  expect(await refusal('mutation { deleteSite(id: "harbour") { id } }')).toEqual(conflict);
  expect(await refusal(`mutation { deleteDataSource(id: "${id}") { id } }`)).toEqual(conflict);
  expect((await data(UPDATE, { device: { id, siteId: null } })).updateDevice).toMatchObject({
    name: "Door",
    site: null,
  });
  await data('mutation { deleteSite(id: "harbour") { id } }');
  await data(`mutation { deleteDevice(id: "${id}") { id } }`);
  expect(await data(`{ device(id: "${id}") { id } dataSource(id: "${id}") { id device { id } } }`)).toEqual({
    device: null,
    dataSource: { id, device: null },
  });
});

test.each([
  ['name: { like: "DOOR" }', ["a"]],
  ['uuid: { eq: "b" }', ["b"]],
  ["enabled: { eq: false }", ["b"]],
  ['externalId: { in: ["x"] }', ["a"]],
  ["address: { attributeExists: false }", ["a"]],
  ['site: { name: { eq: "Harbour" } }', ["a"]],
  ['site: { not: { name: { eq: "x" } } }', ["a"]],
  ['not: { site: { name: { eq: "Harbour" } } }', ["b"]],
  ['or: [{ id: { eq: "a" } }, { id: { eq: "b" } }]', ["a", "b"]],
])("devices by { %s }", async (filter, expected) => {
  const { data, create } = await createDevices();
  await create({ id: "a", name: "Door", externalId: "x", siteId: "harbour" });
  await create({ id: "b", name: "Gate", enabled: false, address: "Pier 1" });

  const { devices } = await data(`{ devices(filter: { ${filter} }) { edges { node { id } } } }`);
  expect(devices.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(expected);
});

test("data sources are found by the position of their device, and the history by its site", async () => {
  const { data, create, catalog } = await createDevices();
  await create({ id: "a", name: "Door", siteId: "harbour", position: { coordinates: [13, 52] } });
  await create({ id: "b", name: "Gate" });
  const near = "position: { near: { point: { coordinates: [13, 52] }, radius: 10 } }";

  expect((await data(`{ dataSources(filter: { ${near} }) { edges { node { id } } } }`)).dataSources.edges).toEqual([
    { node: { id: "a" } },
  ]);
  const ids = createDataSourceIds(catalog);
  expect(ids({ field: "siteId", filter: { eq: "harbour" } })).toEqual(["a"]);
  expect(ids({ field: "siteId", filter: { ne: "harbour" } })).toEqual(["b"]);
  expect(ids({ field: "deviceId", filter: { in: ["a", "b"] } })).toEqual(["a", "b"]);
});

const CREATE_DEVICE = "mutation ($device: CreateDeviceInput!) { createDevice(device: $device) { dataSource { id } } }";
const CREATE_SOURCE =
  'mutation { createDataSource(dataSource: { id: "yard", name: "Yard", type: IMAGE_DEVICE }) { id } }';

test("a repeated creation that leaves out the data source changes nothing and makes none", async () => {
  const { data } = await createEntityApi();
  await data(CREATE_SOURCE);
  const device = { id: "d", name: "A", enabled: true };
  await data(CREATE_DEVICE, { device: { ...device, dataSourceId: "yard" } });

  expect((await data(CREATE_DEVICE, { device })).createDevice.dataSource.id).toBe("yard");
  expect((await data("{ dataSources { totalCount } }")).dataSources.totalCount).toBe(1);
});

test("a device whose id is that of another device's data source is refused", async () => {
  const { data, refusal } = await createEntityApi();
  await data(CREATE_SOURCE);
  await data(CREATE_DEVICE, { device: { id: "d", name: "A", enabled: true, dataSourceId: "yard" } });

  expect(await refusal(CREATE_DEVICE, { device: { id: "yard", name: "B", enabled: true } })).toEqual({
    code: "BAD_USER_INPUT",
    path: ["device", "id"],
  });
});

test("of the devices that two instances gave one data source, it keeps the same one", async () => {
  const { data, catalog } = await createEntityApi();
  await data(CREATE_SOURCE);
  await data(CREATE_DEVICE, { device: { id: "b", name: "B", enabled: true, dataSourceId: "yard" } });
  const missing = { siteId: null, pointOfInterestId: null, transcoderId: null, externalId: null, address: null };
  const set = { ...missing, name: "A", enabled: true, dataSourceId: "yard", position: null };
  const event = { id: "a", change: "created" as const, at: 1, set, cleared: [] };
  catalog.applyOwn({ type: "DeviceChanged", event }, 1_000);
  const device = async () => (await data('{ dataSource(id: "yard") { device { id } } }')).dataSource.device.id;

  expect(await device()).toBe("a");
  await data('mutation { updateDevice(device: { id: "a", address: "x" }) { id } }');
  expect(await device()).toBe("a");
});

test.each([0, 1])("a creation whose write %i fails leaves no data source without a device", async (nth) => {
  const { ask, data, failNext } = await createEntityApi();
  failNext(unavailable("the log is away", 250), nth);
  await ask(CREATE_DEVICE, { device: { name: "A", enabled: true } });

  const { dataSources, devices } = await data("{ dataSources { totalCount } devices { totalCount } }");
  expect(dataSources.totalCount).toBe(devices.totalCount);
});
