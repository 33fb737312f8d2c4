// The sites that data sources are in: those of their devices.
import type { CatalogEvent } from "../../schemas/events.ts";
import { createCatalog } from "../catalog/catalog.ts";

export interface Sites {
  /** null = none. */
  siteOf(dataSourceId: string): string | null;
  /** Takes a change of a device. Returns the data sources whose site may be another one now. */
  apply(message: CatalogEvent, offset: number): readonly string[];
}

export function createSites(): Sites {
  /** Holds the devices only. */
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
