import type { GeoPosition } from "../../schemas/events.ts";
import type { Entities, EntityOf } from "./define-entity.ts";

/** A data source with the fields that it gets from its device. */
export interface PlacedDataSource extends EntityOf<"dataSource"> {
  /** The data source's own id when it has no device. */
  readonly deviceId: string;
  readonly siteId: string | null;
  readonly pointOfInterestId: string | null;
  readonly position: GeoPosition | null;
}

export function placed(source: EntityOf<"dataSource">, entities: Entities): PlacedDataSource {
  const [device] = entities.referring("device", "dataSourceId", source.id);
  const { siteId = null, pointOfInterestId = null, position = null } = device ?? {};
  return { ...source, deviceId: deviceIdOf(source.id, entities), siteId, pointOfInterestId, position };
}

/** The id of the data source's device. Without a device it is the data source's own. */
export function deviceIdOf(dataSourceId: string, entities: Entities): string {
  const [device] = entities.referring("device", "dataSourceId", dataSourceId);
  return device?.id ?? dataSourceId;
}
