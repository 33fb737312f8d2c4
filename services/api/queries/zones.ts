import type { Zone } from "../../../schemas/events.ts";
import type { FilterZoneInput, ZonesSort } from "../../../schemas/filters.ts";
import { type PageArgs, toConnection } from "../connection.ts";
import type { ApiContext } from "../context.ts";
import { matchesZone } from "../filters/entities.ts";
import { pageOf } from "../filters/page.ts";
import { readFilter } from "../filters/read-filter.ts";
import { checkFirst } from "../first.ts";

export async function zones(
  _root: unknown,
  { filter: asked, first, after, sort }: PageArgs<FilterZoneInput | null | undefined, ZonesSort>,
  context: ApiContext,
) {
  checkFirst(first, context.maxFirst);
  const filter = readFilter(asked, context.filterLimits);
  await context.zonesReached();
  const found = [...context.zones.zones()].filter((zone) => filter == null || matchesZone(filter, zone));
  const value = (zone: Zone, field: ZonesSort["field"]) => (field === "NAME" ? zone.name : zone.zoneId);
  return toConnection(pageOf(found, { sort, value, id: (zone) => zone.zoneId }, { first, after }), () => found.length);
}
