import type { FilterGeofenceInput } from "../../schemas/graphql/inputs.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { booleanField } from "../filters/kinds/boolean.ts";
import { list } from "../filters/kinds/list.ts";
import { idField, stringField } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { byName, defineEntity, type EntityOf, type Listing } from "./define-entity.ts";
import { inSiteOfPoint } from "./point-of-interest.ts";

export type Geofence = EntityOf<"geofence">;

const filterFields: MemoryFields<FilterGeofenceInput, Geofence> = {
  id: idField({ value: (geofence) => geofence.id }),
  name: stringField({ value: (geofence) => geofence.name }),
  active: booleanField({ value: (geofence) => geofence.active }),
  siteId: idField({ value: (geofence) => geofence.siteId }),
  pointOfInterestId: idField({ value: (geofence) => geofence.pointOfInterestId }),
  labels: list((geofence) => geofence.labels),
};

const listing: Listing<"geofence", FilterGeofenceInput> = {
  plural: "geofences",
  matches: (filter, geofence) => matches(filterFields, filter, geofence),
  sortValue: byName,
};

export const geofence = defineEntity({
  kind: "geofence",
  name: "geofence",
  fields: {
    name: { type: "name", nullable: false },
    labels: { type: "names", nullable: false, initial: [] },
    siteId: { type: "text", nullable: false, refersTo: "site" },
    pointOfInterestId: { type: "text", nullable: true, refersTo: "pointOfInterest" },
    bounds: { type: "bounds", nullable: false },
    active: { type: "flag", nullable: false },
  },
  rule: inSiteOfPoint,
  listing,
});
