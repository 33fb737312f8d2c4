// Finds or creates the data source and its zones. A repeated creation would create a second one, so each attempt
// searches first.

import { z } from "zod";
import { derivedId } from "../../../schemas/identity.ts";
import type { ImportClient } from "./client.ts";
import { ImportError } from "./errors.ts";
import type { ZoneToImport } from "./zones-file.ts";

const PAGE = 1_000;

const idNode = z.object({ id: z.string() });
const found = z.object({ dataSources: z.object({ edges: z.array(z.object({ node: idNode })) }) });
const created = z.object({ createDataSource: idNode });

interface Own {
  readonly id: string;
  readonly position: string | undefined;
}

/** Returns the data source's id. @throws ImportError when several have that name. */
export function ensureDataSource(client: ImportClient, name: string): Promise<string> {
  let own: Own | undefined;
  return client.retry(async (send) => {
    if (own === undefined) {
      const [first, second] = await idsOf(send, name);
      if (second !== undefined)
        throw new ImportError(`Several data sources are named "${name}"; the import needs a name of its own.`);
      if (first !== undefined) return first;
      own = await create(send, name);
    }
    return keepOne(send, name, own);
  });
}

async function create(send: ImportClient["request"], name: string): Promise<Own> {
  const { data, position } = await send({
    query: `mutation CreateDataSource($dataSource: CreateDataSourceInput!) {
      createDataSource(dataSource: $dataSource) { id }
    }`,
    variables: { dataSource: { name, type: "VIDEO_DEVICE" } },
  });
  return { id: created.parse(data).createDataSource.id, position };
}

/** Two imports that begin together may both find none and create one: both keep the one with the lowest id. */
async function keepOne(send: ImportClient["request"], name: string, own: Own): Promise<string> {
  const ids = await idsOf(send, name, own.position);
  const [first = own.id] = ids;
  if (first !== own.id && ids.includes(own.id)) {
    const query = "mutation Delete($id: ID!) { deleteDataSource(id: $id) { id } }";
    await send({ query, variables: { id: own.id } });
  }
  return first;
}

/** Resolves with the ids in ascending order. */
async function idsOf(send: ImportClient["request"], name: string, minPosition?: string): Promise<string[]> {
  const { data } = await send({
    query: `query FindDataSource($name: String!) {
      dataSources(filter: { name: { eq: $name } }, first: 100, sort: [{ field: ID, direction: ASC }]) {
        edges { node { id } }
      }
    }`,
    variables: { name },
    minPosition,
  });
  return found.parse(data).dataSources.edges.map(({ node }) => node.id);
}

const zonesPage = z.object({
  zones: z.object({
    edges: z.array(z.object({ node: z.object({ name: z.string() }) })),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  }),
});

/**
 * Creates the zones whose name the data source does not have yet; returns their number. A repeated request creates no
 * second one.
 */
export async function ensureZones(
  client: ImportClient,
  dataSourceId: string,
  zones: readonly ZoneToImport[],
): Promise<number> {
  let count = 0;
  for (const { name, coordinates } of zones) {
    const polygon = { type: "Polygon", coordinates };
    count += await client.retry(async (send) => {
      if ((await zoneNames(send, dataSourceId)).has(name)) return 0;
      await send({
        query: "mutation CreateZone($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }",
        variables: {
          zone: { id: derivedId("imported-zone", dataSourceId, name), dataSourceId, name, polygon, active: true },
        },
      });
      return 1;
    });
  }
  return count;
}

async function zoneNames(send: ImportClient["request"], dataSourceId: string): Promise<Set<string>> {
  const names = new Set<string>();
  let after: string | null | undefined;
  do {
    const { data } = await send({
      query: `query ZonesOf($dataSourceId: ID!, $first: Int!, $after: String) {
        zones(filter: { dataSourceId: { eq: $dataSourceId } }, first: $first, after: $after) {
          edges { node { name } } pageInfo { hasNextPage endCursor }
        }
      }`,
      variables: { dataSourceId, first: PAGE, after },
    });
    const { edges, pageInfo } = zonesPage.parse(data).zones;
    for (const { node } of edges) names.add(node.name);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
  } while (after);
  return names;
}
