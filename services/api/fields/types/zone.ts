import { deviceIdOf } from "../../../../projections/catalog/placed.ts";
import { unavailable } from "../../../../schemas/errors.ts";
import type { Zone as ZoneEvent } from "../../../../schemas/events.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { toPolygon } from "./geo.ts";

const RETRY_AFTER_MS = 1_000;

/** A zone that the history refers to, even a deleted one. A zone created a moment ago may not be in this view yet. */
export function knownZone({ zones }: ApiContext, id: string): ZoneEvent {
  const zone = zones.lastKnown(id);
  if (zone === undefined) throw unavailable(`zone ${id} is not known here yet`, RETRY_AFTER_MS);
  return zone;
}

export const Zone = {
  id: (zone: ZoneEvent) => zone.zoneId,
  dataSource: (zone: ZoneEvent, _args: unknown, context: ApiContext) =>
    context.catalog.get("dataSource", zone.dataSourceId) ?? null,
  polygon: (zone: ZoneEvent) => toPolygon(zone.polygon),
  deviceId: ({ dataSourceId }: ZoneEvent, _args: unknown, { catalog }: Pick<ApiContext, "catalog">) =>
    deviceIdOf(dataSourceId, catalog),
};
