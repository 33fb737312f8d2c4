import { expect, test } from "vitest";
import { dataSourceCreated } from "../../../support/scenes/catalog.ts";
import { zone } from "../../../support/scenes/zone.ts";
import { createTestApi } from "./support.ts";

interface Page {
  readonly pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string };
  readonly edges: { node: { id: string }; cursor: string }[];
  readonly totalCount: number;
}

const PAGE = `query ($first: Int!, $after: String, $sort: [ZonesSort!]!, $filter: FilterZoneInput) {
  zones(first: $first, after: $after, sort: $sort, filter: $filter) {
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id } } totalCount
  }
}`;

async function createZones() {
  const api = await createTestApi();
  for (const [i, name] of ["b", "a", "c", "a", "b"].entries()) {
    api.zones.apply({
      zoneId: `z${i}`,
      dataSourceId: "d1",
      movedTo: null,
      refusal: null,
      partition: 0,
      offset: i,
      zone: zone({ zoneId: `z${i}`, name }),
    });
  }
  const page = async (variables: Record<string, unknown>): Promise<Page> => {
    const { body } = await api.ask(PAGE, variables);
    expect(body.errors).toBeUndefined();
    return body.data.zones;
  };
  return { ...api, page };
}

const byName = [{ field: "NAME", direction: "ASC" }];

test("pages in a row give every zone once, in the order asked", async () => {
  const { page } = await createZones();
  const seen: string[] = [];
  let after: string | null = null;

  for (let more = true; more; ) {
    const { pageInfo, edges, totalCount } = await page({ first: 2, after, sort: byName });
    seen.push(...edges.map(({ node }) => node.id));
    expect(totalCount).toBe(5);
    expect(pageInfo.hasPreviousPage).toBe(after !== null);
    after = pageInfo.endCursor;
    more = pageInfo.hasNextPage;
  }

  expect(seen).toEqual(["z1", "z3", "z0", "z4", "z2"]);
});

test("each field of the sort has its own direction", async () => {
  const { page } = await createZones();
  const sort = [
    { field: "NAME", direction: "DESC" },
    { field: "ID", direction: "DESC" },
  ];

  const { edges } = await page({ first: 10, sort });

  expect(edges.map(({ node }) => node.id)).toEqual(["z2", "z4", "z0", "z3", "z1"]);
});

test("a cursor stays right when what it points at is gone", async () => {
  const { page, zones } = await createZones();
  const { pageInfo } = await page({ first: 2, sort: byName });
  zones.apply({ zoneId: "z3", dataSourceId: "d1", movedTo: null, refusal: null, partition: 0, offset: 9, zone: null });

  const { edges } = await page({ first: 1, after: pageInfo.endCursor, sort: byName });

  expect(edges.map(({ node }) => node.id)).toEqual(["z0"]);
});

test("an empty page says whether there is more", async () => {
  const { page } = await createZones();

  expect(await page({ first: 0, sort: byName })).toMatchObject({
    edges: [],
    totalCount: 5,
    pageInfo: { hasNextPage: true, startCursor: null, endCursor: null },
  });
});

test("totalCount counts what the filter lets through", async () => {
  const { page } = await createZones();

  expect(await page({ first: 1, sort: byName, filter: { name: { eq: "a" } } })).toMatchObject({ totalCount: 2 });
});

test.each([
  [{ first: -1 }, ["first"]],
  [{ first: 1_001 }, ["first"]],
  [{ first: 1, after: "nonsense" }, ["after"]],
  [{ first: 1, after: Buffer.from('["ID ASC","z1"]').toString("base64url") }, ["after"]],
])("page %j is BAD_USER_INPUT", async (variables, path) => {
  const { ask } = await createZones();

  const { body } = await ask(PAGE, { sort: byName, ...variables });

  expect(body.errors[0].extensions).toEqual({ code: "BAD_USER_INPUT", path });
});

test("data sources and their zones know each other", async () => {
  const { ask, catalog } = await createZones();
  catalog.apply(dataSourceCreated("d1", { name: "Yard", labels: ["outside"] }), 0);

  const { body } = await ask(`{
    dataSources { totalCount edges { node { id name type labels device { id } zones { id } } } }
    zone(id: "z1") { name active createdAt deviceId dataSource { id } polygon { type coordinates crs { type } } }
  }`);

  expect(body.data.dataSources.edges[0].node).toEqual({
    id: "d1",
    name: "Yard",
    type: "VIDEO_DEVICE",
    labels: ["outside"],
    device: null,
    zones: ["z0", "z1", "z2", "z3", "z4"].map((id) => ({ id })),
  });
  expect(body.data.zone).toEqual({
    name: "a",
    active: true,
    createdAt: "1970-01-01T00:00:01.000Z",
    deviceId: "d1",
    dataSource: { id: "d1" },
    polygon: {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [10, 0],
          [10, 10],
          [0, 10],
          [0, 0],
        ],
      ],
      crs: null,
    },
  });
});
