import { expect, test } from "vitest";
import { createEntityApi } from "./entity-api.ts";

const POINT = "id name site { name } position { coordinates } metadata devices { id } geofences { id }";
const CREATE = `mutation ($pointOfInterest: CreatePointOfInterestInput!) {
  createPointOfInterest(pointOfInterest: $pointOfInterest) { ${POINT} }
}`;
const UPDATE = `mutation ($pointOfInterest: UpdatePointOfInterestInput!) {
  updatePointOfInterest(pointOfInterest: $pointOfInterest) { ${POINT} }
}`;
const CREATE_DEVICE = `mutation ($device: CreateDeviceInput!) {
  createDevice(device: $device) { id site { id } pointOfInterest { id name } }
}`;
const UPDATE_DEVICE = `mutation ($device: UpdateDeviceInput!) {
  updateDevice(device: $device) { site { id } pointOfInterest { id } }
}`;
const at = (...coordinates: readonly number[]) => ({ coordinates });
const gate = { id: "gate", siteId: "harbour", name: "Gate", position: at(13, 52, 4), metadata: { lanes: 2 } };

async function createSites() {
  const api = await createEntityApi();
  for (const [id, name] of Object.entries({ harbour: "Harbour", yard: "Yard" })) {
    await api.data(`mutation { createSite(site: { id: "${id}", name: "${name}" }) { id } }`);
  }
  const create = async (pointOfInterest: object) => (await api.data(CREATE, { pointOfInterest })).createPointOfInterest;
  const createDevice = async (device: object) =>
    (await api.data(CREATE_DEVICE, { device: { name: "Camera", enabled: true, ...device } })).createDevice;
  return { ...api, create, createDevice };
}

test("a point of interest is made, found from its site, changed and deleted", async () => {
  const { data, create } = await createSites();
  const made = {
    ...{ id: "gate", name: "Gate", position: at(13, 52, 4), metadata: { lanes: 2 } },
    ...{ site: { name: "Harbour" }, devices: [], geofences: [] },
  };

  expect(await create(gate)).toEqual(made);
  expect(await create({ ...gate, name: "other" })).toEqual(made);
  expect((await data('{ site(id: "harbour") { pointsOfInterest { id } } }')).site.pointsOfInterest).toEqual([
    { id: "gate" },
  ]);
  const pointOfInterest = { id: "gate", siteId: "yard", position: at(14, 53), metadata: null };
  const moved = { ...made, site: { name: "Yard" }, position: at(14, 53), metadata: null };
  expect((await data(UPDATE, { pointOfInterest })).updatePointOfInterest).toEqual(moved);
  expect((await data(`{ pointOfInterest(id: "gate") { ${POINT} } }`)).pointOfInterest).toEqual(moved);
  await data('mutation { deletePointOfInterest(id: "gate") { id } }');
  expect(await data('{ pointOfInterest(id: "gate") { id } }')).toEqual({ pointOfInterest: null });
});

test("a creation may be repeated when its site is gone", async () => {
  const { data, create } = await createSites();
  await create(gate);
  await data(UPDATE, { pointOfInterest: { id: "gate", siteId: "yard" } });
  await data('mutation { deleteSite(id: "harbour") { id } }');

  expect(await create(gate)).toMatchObject({ id: "gate", site: { name: "Yard" } });
});

test.each([
  [{ siteId: "none" }, "NOT_FOUND", ["siteId"]],
  [{ name: "" }, "BAD_USER_INPUT", ["name"]],
  [{ position: at(13, 91) }, "BAD_USER_INPUT", ["position", "coordinates", 1]],
])("a point of interest with %j is refused", async (wrong, code, path) => {
  const { refusal } = await createSites();

  expect(await refusal(CREATE, { pointOfInterest: { ...gate, ...wrong } })).toEqual({
    code,
    path: ["pointOfInterest", ...path],
  });
});

test.each(["siteId", "name", "position"])("an update does not clear %s", async (field) => {
  const { refusal, create } = await createSites();
  await create(gate);

  expect(await refusal(UPDATE, { pointOfInterest: { id: "gate", [field]: null } })).toEqual({
    code: "BAD_USER_INPUT",
    path: ["pointOfInterest", field],
  });
});

test("a device is at a point of interest of its own site, and both know each other", async () => {
  const { data, refusal, create, createDevice } = await createSites();
  await create(gate);
  const seen = { id: "d", site: { id: "harbour" }, pointOfInterest: { id: "gate", name: "Gate" } };

  expect(await createDevice({ id: "d", siteId: "harbour", pointOfInterestId: "gate" })).toEqual(seen);
  expect(await createDevice({ id: "e", pointOfInterestId: "gate" })).toEqual({ ...seen, id: "e" });
  expect((await data('{ pointOfInterest(id: "gate") { devices { id } } }')).pointOfInterest.devices).toEqual([
    { id: "d" },
    { id: "e" },
  ]);
  const refused = { code: "BAD_USER_INPUT", path: ["device", "pointOfInterestId"] };
  const elsewhere = { id: "f", name: "F", enabled: true, siteId: "yard", pointOfInterestId: "gate" };
  expect(await refusal(CREATE_DEVICE, { device: elsewhere })).toEqual(refused);
  expect(await refusal(UPDATE_DEVICE, { device: { id: "d", siteId: "yard" } })).toEqual(refused);
  expect(await refusal(UPDATE_DEVICE, { device: { id: "d", siteId: null } })).toEqual(refused);
  expect(await refusal(UPDATE_DEVICE, { device: { id: "d", pointOfInterestId: "none" } })).toEqual({
    ...refused,
    code: "NOT_FOUND",
  });
  expect(await data("{ dataSources { totalCount } }")).toEqual({ dataSources: { totalCount: 2 } });
});

test("a point of interest neither goes nor moves to another site while devices are at it", async () => {
  const { data, refusal, create, createDevice } = await createSites();
  await create(gate);
  await createDevice({ id: "d", siteId: "harbour", pointOfInterestId: "gate" });
  const conflict = { code: "CONFLICT", referrers: ["d"] };
  const pointOfInterest = { id: "gate", siteId: "yard" };

  expect(await refusal('mutation { deletePointOfInterest(id: "gate") { id } }')).toEqual(conflict);
  expect(await refusal(UPDATE, { pointOfInterest })).toEqual(conflict);
  expect(await refusal('mutation { deleteSite(id: "harbour") { id } }')).toEqual({
    ...conflict,
    referrers: expect.arrayContaining(["d", "gate"]),
  });
  expect((await data(UPDATE_DEVICE, { device: { id: "d", pointOfInterestId: null } })).updateDevice).toEqual({
    site: { id: "harbour" },
    pointOfInterest: null,
  });
  expect((await data(UPDATE, { pointOfInterest })).updatePointOfInterest).toMatchObject({ site: { name: "Yard" } });
});

test.each([
  ["", ["gate", "pier"]],
  ['(filter: { siteId: { eq: "yard" } })', ["pier"]],
  ['(filter: { or: [{ name: { like: "GATE" } }, { id: { in: [] } }] })', ["gate"]],
  ["(sort: { field: NAME, direction: DESC })", ["pier", "gate"]],
])("pointsOfInterest%s", async (args, expected) => {
  const { data, create } = await createSites();
  await create(gate);
  await create({ ...gate, id: "pier", siteId: "yard", name: "Pier" });

  const { edges } = (await data(`{ pointsOfInterest${args} { edges { node { id } } } }`)).pointsOfInterest;
  expect(edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(expected);
});

test("a point whose site another instance deletes at the same time shows it as it last was", async () => {
  const { data, create, catalog } = await createSites();
  await create(gate);
  const none = { name: null, timezone: null, position: null, polygon: null };
  const site = { name: "Harbour", timezone: "UTC", position: null, polygon: null };
  const event = { id: "harbour", at: 1, cleared: [] };
  // The topic brings the site's creation and its deletion.
  catalog.apply({ type: "SiteChanged", event: { ...event, change: "created", set: site } }, 0);
  catalog.apply({ type: "SiteChanged", event: { ...event, change: "deleted", set: none } }, 1_000);

  expect((await data('{ pointOfInterest(id: "gate") { site { name } } }')).pointOfInterest).toEqual({
    site: { name: "Harbour" },
  });
});
