// A detection may be in all zones of its data source, so their vertices are limited together.

import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import { countVertices } from "../../../schemas/bounds.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Zone } from "../../../schemas/events.ts";

export interface VertexQuota {
  /**
   * Reserves vertices for the zone until the caller calls the returned function. The caller does so when the view has
   * the zone or the log refused it. Throws BAD_USER_INPUT when the data source's quota is used up.
   */
  take(zone: Zone, view: ZonesView): () => void;
}

/**
 * The quota is exact for the writes of this instance. Another instance may take the same vertices at the same moment.
 * The fold then refuses the later event in the log, and its version in the zones topic has the refusal.
 */
export function createVertexQuota(maxVertices: number): VertexQuota {
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
      // A zone may be renamed or made smaller even if the quota was lowered below its vertices.
      if (growth <= 0) return () => undefined;
      const sum = others.reduce((vertices, other) => vertices + verticesOf(other), verticesOf(zone));
      if (sum + (held.get(dataSourceId) ?? 0) > maxVertices) {
        throw verticesExhausted(maxVertices);
      }
      hold(dataSourceId, growth);
      return () => hold(dataSourceId, -growth);
    },
  };
}

export const verticesExhausted = (maxVertices: number) =>
  badInput(`the zones of one data source may have ${maxVertices} vertices together (MAX_DATA_SOURCE_VERTICES)`, [
    "zone",
    "polygon",
  ]);

const verticesOf = ({ polygon }: Zone): number => countVertices(polygon.rings);
