import { countQuestion } from "../count.ts";
import { draft, exactly, metadata, producers, validation } from "../filters.ts";
import { byText } from "./count-groups.ts";

export const countEvents = countQuestion({
  id: "count-events",
  name: "Activities by their former names",
  about: "How many activities there were, named by type and subtype as older clients know them.",
  field: "eventsSummary",
  filterType: "FilterEventsSummaryInput",
  bucketArgument: "eventsBucket",
  bucketType: "EventsSummaryBucketType",
  filters: [
    producers("eventProducerId"),
    exactly("type", "Type"),
    exactly("subtype", "Subtype", "subType"),
    exactly("priority", "Priority"),
    validation(),
    draft,
    metadata,
  ],
  groups: [
    byText("type", "Type", "TYPE"),
    byText("subtype", "Subtype", "SUB_TYPE", "subType"),
    byText("priority", "Priority", "PRIORITY"),
    byText("validation", "Validation", "VALIDATION_STATUS", "validationStatus"),
  ],
  counts: "periods",
});
