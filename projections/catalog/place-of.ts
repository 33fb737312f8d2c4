// The names and ids that answers of the REST interface and signals add for a data source.
import type { Entities } from "./define-entity.ts";

export interface SourceLocation {
  readonly datasource_name: string | null;
  /** The device and its site. Null when the data source has no device. */
  readonly device_id: string | null;
  readonly site_id: string | null;
  readonly site_name: string | null;
}

/** Fields that the catalog does not know are null. */
export function locationOf(dataSourceId: string, entities: Entities): SourceLocation {
  const [device] = entities.referring("device", "dataSourceId", dataSourceId);
  const siteId = device?.siteId ?? null;
  return {
    datasource_name: entities.get("dataSource", dataSourceId)?.name ?? null,
    device_id: device?.id ?? null,
    site_id: siteId,
    site_name: siteId === null ? null : (entities.get("site", siteId)?.name ?? null),
  };
}
