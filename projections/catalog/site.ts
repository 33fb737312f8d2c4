import type { FilterSiteInput } from "../../schemas/graphql/inputs.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { idField, stringField } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { byName, defineEntity, type EntityOf, type Listing } from "./define-entity.ts";

export type Site = EntityOf<"site">;

const filterFields: MemoryFields<FilterSiteInput, Site> = {
  id: idField({ value: (site) => site.id }),
  name: stringField({ value: (site) => site.name }),
};

export const matchesSite = (filter: FilterSiteInput, site: Site): boolean => matches(filterFields, filter, site);

const listing: Listing<"site", FilterSiteInput> = { plural: "sites", matches: matchesSite, sortValue: byName };

export const site = defineEntity({
  kind: "site",
  name: "site",
  fields: {
    name: { type: "name", nullable: false },
    timezone: { type: "timezone", nullable: false, initial: "UTC" },
    position: { type: "point", nullable: true },
    polygon: { type: "regions", nullable: true },
  },
  listing,
});
