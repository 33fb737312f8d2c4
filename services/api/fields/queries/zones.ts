import { pageOf } from "../../../../projections/catalog/page.ts";
import { matches } from "../../../../projections/filters/match.ts";
import { readFilter } from "../../../../projections/filters/read-filter.ts";
import { zoneFields } from "../../../../projections/filters/zones.ts";
import type { Zone } from "../../../../schemas/events.ts";
import type { FilterZoneInput, ZonesSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { type PageArgs, toConnection } from "../../read/connection.ts";
import { checkFirst } from "../../read/first.ts";

export async function zones(
  _root: unknown,
  { filter: asked, first, after, sort }: PageArgs<FilterZoneInput | null | undefined, ZonesSort>,
  context: ApiContext,
) {
  checkFirst(first, context.maxFirst);
  const filter = readFilter(asked, context.filterLimits);
  await context.zonesReached();
  const found = [...context.zones.zones()].filter((zone) => filter == null || matches(zoneFields, filter, zone));
  const value = (zone: Zone, field: ZonesSort["field"]) => (field === "NAME" ? zone.name : zone.zoneId);
  return toConnection(pageOf(found, { sort, value, id: (zone) => zone.zoneId }, { first, after }), () => found.length);
}
