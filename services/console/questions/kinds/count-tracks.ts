import { countQuestion } from "../count.ts";
import { cameras, contains, places, rare, sites, tags } from "../filters.ts";
import { byCamera, bySite, byTag } from "./count-groups.ts";
import { ofCamera } from "./of-camera.ts";

export const countTracks = countQuestion({
  id: "count-tracks",
  name: "Tracks",
  about: "How many objects were seen. An object counts in every bar of its time.",
  field: "tracksSummary",
  filterType: "FilterTracksSummaryInput",
  bucketArgument: "tracksBucket",
  bucketType: "TracksSummaryBucketType",
  filters: [
    cameras("dataSource.id"),
    tags("tag.name"),
    sites("site.id"),
    rare(places("pointOfInterest.id")),
    ...ofCamera,
    rare(contains("placeName", "Point of interest's name contains", "pointOfInterest.name")),
  ],
  canExclude: false,
  groups: [byTag, byCamera("DATA_SOURCE_ID"), bySite("DATA_SOURCE_SITE", "dataSourceSite")],
  counts: "tracks",
});
