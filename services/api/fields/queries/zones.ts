import { matches } from "../../../../projections/filters/match.ts";
import { zoneFields } from "../../../../projections/filters/zones.ts";
import type { Zone } from "../../../../schemas/events.ts";
import type { FilterZoneInput, ZonesSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { memoryPage, type PageArgs } from "../../read/connection.ts";

export const zones = (
  _root: unknown,
  args: PageArgs<FilterZoneInput | null | undefined, ZonesSort>,
  context: ApiContext,
) =>
  memoryPage(args, context, {
    reached: context.zonesReached,
    all: () => context.zones.zones(),
    matches: (filter: FilterZoneInput, zone) => matches(zoneFields, filter, zone),
    value: (zone: Zone, field) => (field === "NAME" ? zone.name : zone.zoneId),
    id: ({ zoneId }) => zoneId,
  });
