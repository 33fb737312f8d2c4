// Questions about zones, and changes of them.
import { allNodes } from "./all-nodes.ts";
import type { Asks } from "./asks.ts";
import type { ZonePatch, ZoneRecord } from "./zone-record.ts";

const FIELDS = /* GraphQL */ `id name active updatedAt polygon { coordinates crs { type properties } }`;

const ZONE = /* GraphQL */ `query EditedZone($id: ID!) { zone(id: $id) { ${FIELDS} } }`;

const VERSIONS = /* GraphQL */ `
  query ZoneVersions($filter: FilterZoneInput, $after: String) {
    zones(filter: $filter, first: 1000, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node { id updatedAt } }
    }
  }
`;

const CREATE = /* GraphQL */ `mutation CreateZone($zone: CreateZoneInput!) { createZone(zone: $zone) { ${FIELDS} } }`;
const UPDATE = /* GraphQL */ `mutation UpdateZone($zone: UpdateZoneInput!) { updateZone(zone: $zone) { ${FIELDS} } }`;
const DELETE = /* GraphQL */ `
  mutation DeleteZone($id: ID!, $ifUpdatedAt: DateTimeOffset) {
    deleteZone(id: $id, ifUpdatedAt: $ifUpdatedAt) { id }
  }
`;

/** @returns undefined when there is no such zone. */
export async function askZone({ ask }: Asks, id: string): Promise<ZoneRecord | undefined> {
  const { zone } = await ask<{ readonly zone: ZoneRecord | null }>(ZONE, { id });
  return zone ?? undefined;
}

/** Returns when each zone of the camera was changed last, by its id. */
export async function askZoneVersions(
  { ask }: Asks,
  dataSourceId: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string | null>> {
  const filter = { dataSourceId: { eq: dataSourceId } };
  type Version = { readonly id: string; readonly updatedAt: string | null };
  const zones = await allNodes<Version>(ask, VERSIONS, { filter }, { signal });
  return new Map(zones.map(({ id, updatedAt }) => [id, updatedAt]));
}

/** With the same id it may be repeated: a zone that exists stays unchanged, and is the answer. */
export async function sendNewZone(
  { ask }: Asks,
  zone: { readonly id: string; readonly dataSourceId: string } & Required<ZonePatch>,
): Promise<ZoneRecord> {
  return (await ask<{ readonly createZone: ZoneRecord }>(CREATE, { zone })).createZone;
}

/** @throws ApiError with the code CONFLICT when somebody has changed the zone since it was `before`. */
export async function sendZonePatch({ ask }: Asks, before: ZoneRecord, patch: ZonePatch): Promise<ZoneRecord> {
  const zone = { ...patch, id: before.id, ifUpdatedAt: before.updatedAt };
  return (await ask<{ readonly updateZone: ZoneRecord }>(UPDATE, { zone })).updateZone;
}

/** @throws ApiError with the code CONFLICT when somebody has changed the zone since it was `before`. */
export async function sendZoneDeletion({ ask }: Asks, { id, updatedAt }: ZoneRecord): Promise<void> {
  await ask(DELETE, { id, ifUpdatedAt: updatedAt });
}

/** Also where the page came without TLS, and so without `randomUUID`. */
export function newZoneId(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  return `zone-${hex.join("")}`;
}
