// A detection may lie in all zones of its data source, so their vertices are bounded together.

import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import { countVertices } from "../../../schemas/bounds.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Zone } from "../../../schemas/events.ts";

export interface ZoneRoom {
  /**
   * Holds room for the zone until the caller calls the returned function, once the view has the zone or the log refused
   * it. Throws BAD_USER_INPUT when the data source has no room.
   */
  take(zone: Zone, view: ZonesView): () => void;
}

/**
 * Exact for the writes of this instance. Other instances may take the same room at the same moment: then the fold
 * refuses the later event in the log, and the version in the zones topic says so.
 */
export function createZoneRoom(maxVertices: number): ZoneRoom {
  const held = new Map<string, number>();

  function hold(dataSourceId: string, vertices: number): void {
    const sum = (held.get(dataSourceId) ?? 0) + vertices;
    if (sum === 0) held.delete(dataSourceId);
    else held.set(dataSourceId, sum);
  }

  return {
    take(zone, view) {
      const { dataSourceId, zoneId } = zone;
      const others = view.zonesOf(dataSourceId).filter((other) => other.zoneId !== zoneId);
      const before = view.zone(zoneId);
      const growth = verticesOf(zone) - (before?.dataSourceId === dataSourceId ? verticesOf(before) : 0);
      // A zone may be renamed or made smaller even if the bound was lowered below it.
      if (growth <= 0) return () => undefined;
      const sum = others.reduce((vertices, other) => vertices + verticesOf(other), verticesOf(zone));
      if (sum + (held.get(dataSourceId) ?? 0) > maxVertices) {
        throw noRoom(maxVertices);
      }
      hold(dataSourceId, growth);
      return () => hold(dataSourceId, -growth);
    },
  };
}

export const noRoom = (maxVertices: number) =>
  badInput(`the zones of one data source may have ${maxVertices} vertices together (MAX_DATA_SOURCE_VERTICES)`, [
    "zone",
    "polygon",
  ]);

const verticesOf = ({ polygon }: Zone): number => countVertices(polygon.rings);
