import { countQuestion } from "../count.ts";
import { cameras, sites, tags } from "../filters.ts";
import { byCamera, bySite, byTag } from "./count-groups.ts";

export const countTracks = countQuestion({
  id: "count-tracks",
  name: "Tracks",
  about: "How many objects were seen. An object counts in every bar of its time.",
  field: "tracksSummary",
  filterType: "FilterTracksSummaryInput",
  bucketArgument: "tracksBucket",
  bucketType: "TracksSummaryBucketType",
  filters: [cameras("dataSource.id"), tags("tag.name"), sites("site.id")],
  groups: [byTag, byCamera("DATA_SOURCE_ID"), bySite("DATA_SOURCE_SITE", "dataSourceSite")],
  counts: "tracks",
});
