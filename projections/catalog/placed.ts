import type { GeoPosition } from "../../schemas/events.ts";
import type { Entities, EntityOf } from "./define-entity.ts";

/** A data source with the fields that it has through its device. */
export interface PlacedDataSource extends EntityOf<"dataSource"> {
  /** The data source's own id if it has no device. */
  readonly deviceId: string;
  readonly siteId: string | null;
  readonly pointOfInterestId: string | null;
  readonly position: GeoPosition | null;
}

export function placed(source: EntityOf<"dataSource">, entities: Entities): PlacedDataSource {
  const [device] = entities.referring("device", "dataSourceId", source.id);
  const { id: deviceId = source.id, siteId = null, pointOfInterestId = null, position = null } = device ?? {};
  return { ...source, deviceId, siteId, pointOfInterestId, position };
}
