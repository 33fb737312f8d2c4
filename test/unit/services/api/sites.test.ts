import { expect, test } from "vitest";
import { createEntityApi } from "./entity-api.ts";

const SITE = "id name timezone position { coordinates } polygon { type coordinates } devices { id } geofences { id }";
const CREATE = `mutation ($site: CreateSiteInput!) { createSite(site: $site) { ${SITE} } }`;
const UPDATE = `mutation ($site: UpdateSiteInput!) { updateSite(site: $site) { ${SITE} } }`;
const DELETE = `mutation ($id: ID!) { deleteSite(id: $id) { ${SITE} } }`;
const triangle = [
  [
    [
      [13, 52],
      [14, 52],
      [14, 53],
      [13, 52],
    ],
  ],
];

async function createSites() {
  const api = await createEntityApi();
  const create = async (site: object) => (await api.data(CREATE, { site })).createSite;
  return { ...api, create };
}

test("a site is made, found, changed and deleted", async () => {
  const { data, refusal, create } = await createSites();
  const made = await create({
    name: "Harbour",
    position: { coordinates: [13.4, 52.5] },
    polygon: { coordinates: triangle },
  });
  const whole = {
    ...{ id: made.id, name: "Harbour", timezone: "UTC", position: { coordinates: [13.4, 52.5] } },
    ...{ polygon: { type: "MultiPolygon", coordinates: triangle }, devices: [], geofences: [] },
  };

  expect(made).toEqual(whole);
  expect((await data(`query ($id: ID!) { site(id: $id) { ${SITE} } }`, { id: made.id })).site).toEqual(whole);
  const changed = { ...whole, timezone: "Europe/Berlin", polygon: null };
  const site = { id: made.id, timezone: "Europe/Berlin", polygon: null };
  expect((await data(UPDATE, { site })).updateSite).toEqual(changed);
  expect((await data(DELETE, { id: made.id })).deleteSite).toEqual(changed);
  expect((await data(`{ site(id: "${made.id}") { id } }`)).site).toBeNull();
  expect(await refusal(DELETE, { id: made.id })).toMatchObject({ code: "NOT_FOUND" });
});

test("a creation with an id may be repeated, and the first one counts", async () => {
  const { create } = await createSites();
  await create({ id: "s1", name: "first" });

  expect(await create({ id: "s1", name: "second" })).toMatchObject({ id: "s1", name: "first" });
});

test.each([
  [{ name: " " }, ["site", "name"]],
  [{ name: "a", timezone: "Mars/Olympus" }, ["site", "timezone"]],
  [{ name: "a", timezone: "+02:00" }, ["site", "timezone"]],
  [{ name: "a", position: { coordinates: [181, 0] } }, ["site", "position", "coordinates", 0]],
  [{ name: "a", polygon: { coordinates: [] } }, ["site", "polygon", "coordinates"]],
  [
    {
      name: "a",
      polygon: {
        coordinates: [
          [
            [
              [0, 0],
              [200, 0],
              [0, 9],
              [0, 0],
            ],
          ],
        ],
      },
    },
    ["site", "polygon", "coordinates", 0, 0],
  ],
])("%j is refused", async (site, path) => {
  const { refusal } = await createSites();

  expect(await refusal(CREATE, { site })).toEqual({ code: "BAD_USER_INPUT", path });
});

test("sites are filtered, sorted and given in pages", async () => {
  const { data, create } = await createSites();
  for (const [i, name] of ["b", "a", "c"].entries()) await create({ id: `s${i}`, name });
  const list = async (args: string) => {
    const { sites } = await data(`{ sites(${args}) { totalCount edges { node { id } } pageInfo { endCursor } } }`);
    return { ...sites, ids: sites.edges.map(({ node }: { node: { id: string } }) => node.id) };
  };

  expect((await list("first: 9")).ids).toEqual(["s1", "s0", "s2"]);
  expect((await list("first: 9, sort: [{ field: ID, direction: DESC }]")).ids).toEqual(["s2", "s1", "s0"]);
  expect((await list('filter: { or: [{ name: { eq: "a" } }, { id: { eq: "s2" } }] }')).ids).toEqual(["s1", "s2"]);
  expect((await list('filter: { not: { name: { eq: "a" } } }')).totalCount).toBe(2);
  const { pageInfo, ids } = await list("first: 2");
  expect(ids).toEqual(["s1", "s0"]);
  expect((await list(`first: 2, after: "${pageInfo.endCursor}"`)).ids).toEqual(["s2"]);
});

test("an update that says nothing writes no event", async () => {
  const { data, ask } = await createEntityApi();
  const { id } = (await data('mutation { createSite(site: { name: "S" }) { id } }')).createSite;

  const { body } = await ask(`mutation { updateSite(site: { id: "${id}" }) { id } }`);
  expect(body).toEqual({ data: { updateSite: { id } } });
});
