import { type AppError, badInput, conflict } from "../../schemas/errors.ts";
import type { FilterPointOfInterestInput } from "../../schemas/graphql/inputs.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { idField, stringField } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { byName, defineEntity, type Entities, type EntityOf, type Listing } from "./define-entity.ts";

export type PointOfInterest = EntityOf<"pointOfInterest">;

const filterFields: MemoryFields<FilterPointOfInterestInput, PointOfInterest> = {
  id: idField({ value: (point) => point.id }),
  siteId: idField({ value: (point) => point.siteId }),
  name: stringField({ value: (point) => point.name }),
};

export const matchesPointOfInterest = (filter: FilterPointOfInterestInput, point: PointOfInterest): boolean =>
  matches(filterFields, filter, point);

const listing: Listing<"pointOfInterest", FilterPointOfInterestInput> = {
  plural: "pointsOfInterest",
  matches: matchesPointOfInterest,
  sortValue: byName,
};

export const pointOfInterest = defineEntity({
  kind: "pointOfInterest",
  name: "point of interest",
  fields: {
    siteId: { type: "text", nullable: false, refersTo: "site" },
    name: { type: "name", nullable: false },
    position: { type: "point", nullable: false },
    metadata: { type: "json", nullable: true },
  },
  rule: checkSiteOfReferrers,
  listing,
});

/**
 * A point of interest cannot change its site while devices or geofences of the old site refer to it. A caller must
 * first make them refer to another point or to none, and then move the point.
 */
function checkSiteOfReferrers({ id, siteId }: PointOfInterest, entities: Entities): AppError | undefined {
  const there = [
    ...entities.referring("device", "pointOfInterestId", id),
    ...entities.referring("geofence", "pointOfInterestId", id),
  ];
  const ids = there.filter((each) => each.siteId !== siteId).map((each) => each.id);
  if (ids.length === 0) return undefined;
  return conflict(`the site of point of interest ${id}`, ids);
}

/** A point of interest is a part of one site, so entities that refer to it must be in that site. */
export function inSiteOfPoint(
  { siteId, pointOfInterestId }: { readonly siteId: string | null; readonly pointOfInterestId: string | null },
  entities: Entities,
): AppError | undefined {
  if (pointOfInterestId === null) return undefined;
  const point = entities.get("pointOfInterest", pointOfInterestId);
  if (point === undefined || point.siteId === siteId) return undefined;
  return badInput(`point of interest ${point.id} is in another site`, ["pointOfInterestId"]);
}
