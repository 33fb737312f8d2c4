import { countQuestion } from "../count.ts";
import { cameras, tagIds, zones } from "../filters.ts";
import { byCamera, byTag, byText } from "./count-groups.ts";

export const countZoneStays = countQuestion({
  id: "count-intersections",
  name: "Stays in zones",
  about: "How many stays there were in zones, and how long they took.",
  field: "zoneIntersectionSummary",
  filterType: "FilterZoneIntersectionSummaryInput",
  bucketArgument: "zoneIntersectionBucket",
  bucketType: "ZoneIntersectionSummaryBucketType",
  filters: [cameras("dataSourceId"), zones("zoneId"), tagIds("classId")],
  groups: [byText("zone", "Zone", "ZONE_NAME", "zoneName"), byTag, byCamera("DATA_SOURCE")],
  counts: "periods",
});
