import { expect, test } from "vitest";
import { unavailable } from "../../../../schemas/errors.ts";
import { createEntityApi } from "./entity-api.ts";

const GEOFENCE = `id name labels active site { id } pointOfInterest { id }
  bounds { height polygon { type coordinates } }`;
const CREATE = `mutation ($geofence: CreateGeofenceInput!) { createGeofence(geofence: $geofence) { ${GEOFENCE} } }`;
const UPDATE = `mutation ($geofence: UpdateGeofenceInput!) { updateGeofence(geofence: $geofence) { ${GEOFENCE} } }`;
const DELETE = `mutation ($id: ID!) { deleteGeofence(id: $id) { ${GEOFENCE} } }`;

const box = (size: number, left = 13, bottom = 52): number[][] => [
  [left, bottom],
  [left + size, bottom],
  [left + size, bottom + size],
  [left, bottom + size],
  [left, bottom],
];
const bounded = (...coordinates: number[][][]) => ({ polygon: { coordinates } });
const yard = { id: "yard", name: "Yard", siteId: "harbour", bounds: bounded(box(1)), active: true };

async function createSites(options: Parameters<typeof createEntityApi>[0] = {}) {
  const api = await createEntityApi(options);
  for (const id of ["harbour", "airport"]) {
    await api.data(`mutation { createSite(site: { id: "${id}", name: "${id}" }) { id } }`);
    const point = `id: "gate-${id}", siteId: "${id}", name: "Gate", position: { coordinates: [13, 52] }`;
    await api.data(`mutation { createPointOfInterest(pointOfInterest: { ${point} }) { id } }`);
  }
  const create = async (geofence: object) => (await api.data(CREATE, { geofence })).createGeofence;
  return { ...api, create };
}

test("a geofence is made, found from its site and point of interest, changed and deleted", async () => {
  const { data, refusal, create } = await createSites();
  const made = {
    ...{ id: "yard", name: "Yard", labels: [], active: true, site: { id: "harbour" } },
    ...{ pointOfInterest: { id: "gate-harbour" } },
    bounds: { height: null, polygon: { type: "Polygon", coordinates: [box(1)] } },
  };

  expect(await create({ ...yard, pointOfInterestId: "gate-harbour" })).toEqual(made);
  expect(await create({ ...yard, name: "other" })).toEqual(made);
  expect(await data('{ site(id: "harbour") { geofences { id } pointsOfInterest { geofences { id } } } }')).toEqual({
    site: { geofences: [{ id: "yard" }], pointsOfInterest: [{ geofences: [{ id: "yard" }] }] },
  });
  const changed = { ...made, labels: ["open"], active: false, pointOfInterest: null };
  const geofence = { id: "yard", labels: ["open"], active: false, pointOfInterestId: null };
  expect((await data(UPDATE, { geofence })).updateGeofence).toEqual(changed);
  expect((await data(`{ geofence(id: "yard") { ${GEOFENCE} } }`)).geofence).toEqual(changed);
  expect((await data(DELETE, { id: "yard" })).deleteGeofence).toEqual(changed);
  expect(await data('{ geofence(id: "yard") { id } }')).toEqual({ geofence: null });
  expect(await refusal(DELETE, { id: "yard" })).toMatchObject({ code: "NOT_FOUND" });
});

const coordinates = ["geofence", "bounds", "polygon", "coordinates"];
const crossing = [box(1).flatMap((point, i, all) => (i === 1 ? [all[2] ?? []] : i === 2 ? [all[1] ?? []] : [point]))];

test.each([
  ["an empty name", { name: "" }, "BAD_USER_INPUT", ["geofence", "name"]],
  ["an unknown site", { siteId: "none" }, "NOT_FOUND", ["geofence", "siteId"]],
  ["an unknown point of interest", { pointOfInterestId: "none" }, "NOT_FOUND", ["geofence", "pointOfInterestId"]],
  [
    "a point of interest of another site",
    { pointOfInterestId: "gate-airport" },
    "BAD_USER_INPUT",
    ["geofence", "pointOfInterestId"],
  ],
  ["an open ring", { bounds: bounded(box(1).slice(0, 4)) }, "BAD_USER_INPUT", [...coordinates, 0]],
  ["a ring that crosses itself", { bounds: bounded(...crossing) }, "BAD_USER_INPUT", coordinates],
  ["a ring beyond the Earth", { bounds: bounded(box(40)) }, "BAD_USER_INPUT", [...coordinates, 0]],
  ["a ring beyond 180 degrees", { bounds: bounded(box(1, 179.5)) }, "BAD_USER_INPUT", [...coordinates, 0]],
  [
    "a ring over the antimeridian",
    {
      bounds: bounded([
        [179, 0],
        [-179, 0],
        [-179, 1],
        [179, 0],
      ]),
    },
    "BAD_USER_INPUT",
    [...coordinates, 0],
  ],
])("a geofence with %s is refused", async (_, wrong, code, path) => {
  const { refusal } = await createSites();

  expect(await refusal(CREATE, { geofence: { ...yard, ...wrong } })).toEqual({ code, path });
});

test.each(["name", "labels", "siteId", "bounds", "active"])("an update may not clear %s", async (member) => {
  const { refusal, create } = await createSites();
  await create(yard);

  const refused = await refusal(UPDATE, { geofence: { id: "yard", [member]: null } });

  expect(refused).toEqual({ code: "BAD_USER_INPUT", path: ["geofence", member] });
});

test("a site, or a point of interest, that has geofences is not deleted and does not lose them", async () => {
  const { refusal, create } = await createSites();
  await create({ ...yard, pointOfInterestId: "gate-harbour" });

  expect(await refusal('mutation { deletePointOfInterest(id: "gate-harbour") { id } }')).toMatchObject({
    code: "CONFLICT",
    referrers: ["yard"],
  });
  expect(await refusal('mutation { deleteSite(id: "harbour") { id } }')).toMatchObject({ code: "CONFLICT" });
  expect(await refusal(UPDATE, { geofence: { id: "yard", siteId: "airport" } })).toMatchObject({
    code: "BAD_USER_INPUT",
  });
});

test("geofences are filtered and sorted", async () => {
  const { data, create } = await createSites();
  await create({ ...yard, id: "g1", name: "b", labels: ["x", "y"] });
  await create({ ...yard, id: "g2", name: "a", active: false, siteId: "airport", pointOfInterestId: "gate-airport" });
  const ids = async (filter: string) => {
    const { geofences } = await data(`{ geofences(filter: { ${filter} }) { totalCount edges { node { id } } } }`);
    return geofences.edges.map(({ node }: { node: { id: string } }) => node.id);
  };

  expect(await ids("")).toEqual(["g2", "g1"]);
  expect(await ids("active: { eq: true }")).toEqual(["g1"]);
  expect(await ids('siteId: { eq: "airport" }')).toEqual(["g2"]);
  expect(await ids('pointOfInterestId: { ne: "gate-airport" }')).toEqual(["g1"]);
  expect(await ids('labels: { in: ["y"] }')).toEqual(["g1"]);
  expect(await ids('or: [{ id: { eq: "g1" } }, { name: { eq: "a" } }]')).toEqual(["g2", "g1"]);
});

test("active geofences have a bound on their vertices together, and those that are not active do not count", async () => {
  const { refusal, create } = await createSites({ maxGeofenceVertices: 12 });
  const tooMany = { code: "BAD_USER_INPUT", path: ["geofence", "bounds"] };
  await create({ ...yard, id: "g1" });
  await create({ ...yard, id: "g2" });

  expect(await refusal(CREATE, { geofence: { ...yard, id: "g3" } })).toEqual(tooMany);
  await create({ ...yard, id: "g3", active: false });
  expect(await refusal(UPDATE, { geofence: { id: "g3", active: true } })).toEqual(tooMany);
  expect(await create({ ...yard, id: "g1", name: "again" })).toMatchObject({ name: "Yard" });
  expect(await refusal(UPDATE, { geofence: { id: "g1", active: false } })).toBeUndefined();
  expect(await refusal(UPDATE, { geofence: { id: "g3", active: true } })).toBeUndefined();
});

test("geofences that are made at the same time on one instance have the bound together", async () => {
  const { data, ask } = await createSites({ maxGeofenceVertices: 12 });
  const ids = ["g1", "g2", undefined, undefined];

  await Promise.all(ids.map((id) => ask(CREATE, { geofence: { ...yard, id } })));

  expect(await data("{ geofences { totalCount } }")).toEqual({ geofences: { totalCount: 2 } });
});

test("a mutation is answered when every partition has been told, and a repetition tells them again", async () => {
  const reported: number[] = [];
  let isAway = false;
  const { ask, refusal } = await createSites({
    writer: {
      everyPartition: async ({ event }) => {
        if (isAway) throw unavailable("the log did not answer in time", 1_000);
        reported.push(event.upTo);
        return [0, 1].map((partition) => ({ topic: "camera-log", partition, offset: 7 }));
      },
    },
  });

  const { body } = await ask(CREATE, { geofence: yard });
  expect(body.extensions.position).toBe(`camera-log:0:7,camera-log:1:7,catalog:0:${reported[0]}`);
  isAway = true;
  expect(await refusal(UPDATE, { geofence: { id: "yard", active: false } })).toMatchObject({ code: "UNAVAILABLE" });
  isAway = false;
  await ask(UPDATE, { geofence: { id: "yard", active: false } });
  expect(reported).toEqual([reported[0], (reported[0] ?? 0) + 2]);
});

test("a creation whose writer died after the catalog is acknowledged again only when every partition has been told", async () => {
  const reported: number[] = [];
  let isAway = true;
  const { ask, refusal, written } = await createSites({
    writer: {
      everyPartition: async ({ event }) => {
        if (isAway) throw unavailable("the log did not answer in time", 1_000);
        reported.push(event.upTo);
        return [{ topic: "camera-log", partition: 0, offset: 7 }];
      },
    },
  });
  expect(await refusal(CREATE, { geofence: yard })).toMatchObject({ code: "UNAVAILABLE" });
  expect(await refusal(CREATE, { geofence: yard })).toMatchObject({ code: "UNAVAILABLE" });

  isAway = false;
  const { body } = await ask(CREATE, { geofence: yard });

  const ofCatalog = written() - 1;
  expect(body.extensions.position).toBe("camera-log:0:7");
  expect(reported).toEqual([ofCatalog]);
  expect((await ask(CREATE, { geofence: yard })).body.extensions.position).toBe("camera-log:0:7");
  expect(reported).toEqual([ofCatalog]);
});
