import { countQuestion } from "../count.ts";
import { cameras, sites, tags } from "../filters.ts";
import { byCamera, bySite, byTag } from "./count-groups.ts";
import { ofCamera } from "./of-camera.ts";

export const countDetections = countQuestion({
  id: "count-detections",
  name: "Detections",
  about: "How many single sightings cameras sent.",
  field: "detectionsSummary",
  filterType: "FilterDetectionsSummaryInput",
  bucketArgument: "detectionsBucket",
  bucketType: "DetectionsSummaryBucketType",
  filters: [cameras("dataSource.id"), tags("tag.name"), sites("site.id"), ...ofCamera],
  groups: [byTag, byCamera("DATA_SOURCE_ID"), bySite("SITE")],
  counts: "instants",
});
