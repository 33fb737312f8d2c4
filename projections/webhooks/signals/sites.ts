// The sites of data sources, which are those of their devices.
import type { CatalogEvent } from "../../../schemas/events.ts";
import { createCatalog } from "../../catalog/catalog.ts";

export interface Sites {
  /** The site of the data source. Null when it has none. */
  siteOf(dataSourceId: string): string | null;
  /**
   * Applies a change of a device.
   * @returns the data sources whose site may have changed.
   */
  apply(message: CatalogEvent, offset: number): readonly string[];
}

export function createSites(): Sites {
  /** The catalog contains the devices only. */
  const devices = createCatalog();

  return {
    siteOf: (dataSourceId) => devices.referring("device", "dataSourceId", dataSourceId)[0]?.siteId ?? null,
    apply(message, offset) {
      const { id } = message.event;
      const before = devices.get("device", id);
      devices.apply(message, offset);
      const after = devices.get("device", id);
      if (before?.dataSourceId === after?.dataSourceId && before?.siteId === after?.siteId) return [];
      return [...new Set([before?.dataSourceId, after?.dataSourceId])].filter((each) => typeof each === "string");
    },
  };
}
