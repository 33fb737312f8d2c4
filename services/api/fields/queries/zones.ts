import { matches } from "../../../../projections/filters/match.ts";
import { zoneFields } from "../../../../projections/filters/zones.ts";
import type { Zone } from "../../../../schemas/events.ts";
import type { FilterZoneInput, ZonesSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { memoryPage, type PageArgs } from "../../read/connection.ts";

export interface AsOf {
  /** A time of the log, ms. Absent and null: the present. */
  readonly asOf?: number | null;
}

export const zones = (
  _root: unknown,
  { asOf, ...args }: PageArgs<FilterZoneInput | null | undefined, ZonesSort> & AsOf,
  context: ApiContext,
) => {
  let { zones: view } = context;
  return memoryPage(args, context, {
    async reached() {
      if (asOf == null) await context.zonesReached();
      else view = await context.zonesAt(asOf);
    },
    all: () => view.zones(),
    matches: (filter: FilterZoneInput, zone) => matches(zoneFields, filter, zone),
    value: (zone: Zone, field) => (field === "NAME" ? zone.name : zone.zoneId),
    id: ({ zoneId }) => zoneId,
  });
};
