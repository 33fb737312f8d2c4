// Events of the catalog; a test overrides the fields that matter to it.
import type { DataSourceFields } from "../../../schemas/catalog/data-source.ts";
import type { DeviceFields } from "../../../schemas/catalog/device.ts";
import type { SiteFields } from "../../../schemas/catalog/site.ts";
import type { TokenFields } from "../../../schemas/catalog/token.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import type { EventWriter } from "../../../services/api/write/publish.ts";

export function dataSourceCreated(id: string, fields: Partial<DataSourceFields> = {}): CatalogEvent {
  const set = { name: id, type: "VIDEO_DEVICE" as const, labels: null, ...fields };
  return { type: "DataSourceChanged", event: { id, change: "created", at: 1_000, set, cleared: [] } };
}

export function dataSourceUpdated(id: string, fields: Partial<DataSourceFields>, at = 2_000): CatalogEvent {
  const set = { name: null, type: null, labels: null, ...fields };
  return { type: "DataSourceChanged", event: { id, change: "updated", at, set, cleared: [] } };
}

export function dataSourceDeleted(id: string): CatalogEvent {
  const set = { name: null, type: null, labels: null };
  return { type: "DataSourceChanged", event: { id, change: "deleted", at: 3_000, set, cleared: [] } };
}

export function deviceCreated(id: string, fields: Partial<DeviceFields> = {}): CatalogEvent {
  const none = { siteId: null, pointOfInterestId: null, transcoderId: null, externalId: null, address: null };
  const set = { ...none, name: id, enabled: true, dataSourceId: id, position: null, ...fields };
  return { type: "DeviceChanged", event: { id, change: "created", at: 1_000, set, cleared: [] } };
}

export function siteCreated(id: string, fields: Partial<SiteFields> = {}): CatalogEvent {
  const set = { name: id, timezone: "UTC", position: null, polygon: null, ...fields };
  return { type: "SiteChanged", event: { id, change: "created", at: 1_000, set, cleared: [] } };
}

export function tokenCreated(id: string, fields: Partial<TokenFields> = {}): CatalogEvent {
  const set = { name: "test", valueSha256: "", scopes: ["read"] as const, revokedAt: null, ...fields };
  return { type: "TokenChanged", event: { id, change: "created", at: 0, set, cleared: [] } };
}

export function tokenRevoked(id: string, at: number): CatalogEvent {
  const set = { name: null, valueSha256: null, scopes: null, revokedAt: at };
  return { type: "TokenChanged", event: { id, change: "updated", at, set, cleared: [] } };
}

const refuse = () => Promise.reject(new Error("nothing is written here"));

/** For an API that only reads. */
export const noWriter: EventWriter = {
  cameraLog: refuse,
  detections: refuse,
  everyPartition: refuse,
  records: refuse,
};
