import { deviceIdOf } from "../../../../projections/catalog/placed.ts";
import { unavailable } from "../../../../schemas/errors.ts";
import type { Zone as ZoneEvent } from "../../../../schemas/events.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { toPolygon } from "./geo.ts";

/**
 * Returns a zone that the history refers to, even a deleted one. Throws UNAVAILABLE when this instance's view does not
 * have it yet, e.g. a moment after its creation.
 */
export function knownZone({ zones }: ApiContext, id: string): ZoneEvent {
  const zone = zones.lastKnown(id);
  if (zone === undefined) throw unavailable(`zone ${id} is not known here yet`);
  return zone;
}

export const zoneResolvers = {
  id: (zone: ZoneEvent) => zone.zoneId,
  dataSource: (zone: ZoneEvent, _args: unknown, context: ApiContext) =>
    context.catalog.get("dataSource", zone.dataSourceId) ?? null,
  polygon: (zone: ZoneEvent) => toPolygon(zone.polygon),
  deviceId: ({ dataSourceId }: ZoneEvent, _args: unknown, { catalog }: Pick<ApiContext, "catalog">) =>
    deviceIdOf(dataSourceId, catalog),
};
