// What the REST interface says of the data source of a track or zone.
import type { Entities } from "./define-entity.ts";

export interface Place {
  readonly datasource_name: string | null;
  /** The device and its site; null for a data source without a device. */
  readonly device_id: string | null;
  readonly site_id: string | null;
  readonly site_name: string | null;
}

/** What the catalog does not know is null. */
export function placeOf(dataSourceId: string, entities: Entities): Place {
  const [device] = entities.referring("device", "dataSourceId", dataSourceId);
  const siteId = device?.siteId ?? null;
  return {
    datasource_name: entities.get("dataSource", dataSourceId)?.name ?? null,
    device_id: device?.id ?? null,
    site_id: siteId,
    site_name: siteId === null ? null : (entities.get("site", siteId)?.name ?? null),
  };
}
