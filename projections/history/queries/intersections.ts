// The queries of intersections with zones, and of those with geofences.
import type { GeofenceIntersectionFilter, ZoneIntersectionFilter } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { compileApart } from "../../filters/compile-apart.ts";
import { geofenceIntersectionFields, intersectionFields } from "../../filters/intersections.ts";
import { mayHaveTag, withCurrentTag } from "../../filters/sql/current-tag.ts";
import { given } from "../../filters/sql/sql.ts";
import {
  geofenceIntersectionRecord,
  geofenceIntersectionSelect,
  geofenceIntersectionsTable,
} from "../geofence-intersections.ts";
import { intersectionRecord, intersectionSelect, intersectionsTable } from "../intersections.ts";
import type { Widen } from "./question.ts";
import type { GeofenceIntersectionRecord, IntersectionRecord } from "./records.ts";
import { intersectionQueries } from "./stay-queries.ts";

export const {
  page: intersectionsPage,
  count: intersectionsCount,
  ofTracks: intersectionsOfTracks,
  ofDetections: zonesOfDetections,
} = intersectionQueries<ZoneIntersectionFilter, IntersectionRecord>({
  name: "intersections",
  table: intersectionsTable,
  areaColumn: "zone_id",
  select: intersectionSelect,
  toRecord: intersectionRecord,
  compile(filter, asking) {
    const apart = compileApart(intersectionFields, "tag", filter, asking);
    const table = intersectionsTable.name;
    const widen: Widen = (from, conditions, areMany) => withCurrentTag({ table, from, conditions, areMany });
    if (apart.behind.length === 0) return apart;
    return { ...apart, widen, superset: apart.isFieldAlone ? mayHaveTag(apart.behind) : undefined };
  },
  isOfOne: ({ zoneId }) => given(zoneId?.eq),
  areaOf: ({ zoneId }) => zoneId,
  canIntersect: ({ polygon }) => polygon !== null,
});

export const {
  page: geofenceIntersectionsPage,
  count: geofenceIntersectionsCount,
  ofTracks: geofenceIntersectionsOfTracks,
  ofDetections: geofencesOfDetections,
} = intersectionQueries<GeofenceIntersectionFilter, GeofenceIntersectionRecord>({
  name: "geofence intersections",
  table: geofenceIntersectionsTable,
  areaColumn: "geofence_id",
  select: geofenceIntersectionSelect,
  toRecord: geofenceIntersectionRecord,
  compile: (filter, asking) => ({ before: [compile(geofenceIntersectionFields, filter, asking)], behind: [] }),
  isOfOne: ({ geofenceId }) => given(geofenceId?.eq),
  areaOf: ({ geofenceId }) => geofenceId,
  canIntersect: ({ position }) => position !== null,
});
