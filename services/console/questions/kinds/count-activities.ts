import { countQuestion } from "../count.ts";
import {
  cameras,
  contains,
  exactly,
  having,
  labels,
  metadata,
  positions,
  producers,
  rare,
  sites,
  validation,
} from "../filters.ts";
import { byCamera, bySite, byText } from "./count-groups.ts";

export const countActivities = countQuestion({
  id: "count-activities",
  name: "Activities",
  about: "How many activities workflows recorded, and how long they took.",
  field: "activityChronicleSummary",
  filterType: "FilterActivityChronicleSummaryInput",
  bucketArgument: "activityChronicleBucket",
  bucketType: "ActivityChronicleSummaryBucketType",
  filters: [
    contains("name", "Name contains"),
    having(cameras("dataSourceIds"), "dataSourceIds"),
    having(sites("siteIds"), "siteIds"),
    producers("chronicleProducerId"),
    labels,
    exactly("status", "Status"),
    exactly("priority", "Priority"),
    validation("validationStatus"),
    rare(contains("description", "Description contains")),
    positions("Position in"),
    metadata,
  ],
  groups: [
    byText("name", "Name", "NAME"),
    byText("label", "Label", "LABEL"),
    byCamera("DATA_SOURCE"),
    bySite("SITE"),
    byText("status", "Status", "STATUS"),
    byText("priority", "Priority", "PRIORITY"),
    byText("validation", "Validation", "VALIDATION_STATUS", "validationStatus"),
  ],
  counts: "periods",
});
