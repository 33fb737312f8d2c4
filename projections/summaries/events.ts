// The query eventsSummary: activities under their former name.
import type { EventsSummaryBucketField, FilterEventsSummaryInput } from "../../schemas/graphql/inputs.ts";
import { eventFields, inWordsOfActivities, SUB_TYPE } from "../filters/events.ts";
import { column, type Dimension } from "./dimensions.ts";
import type { SummaryKind } from "./kind.ts";
import { chronicleProducerDimension, metadataField, summaryOfActivities } from "./of-activities.ts";

const dimensions: Readonly<Record<EventsSummaryBucketField, Dimension>> = {
  TYPE: column("type", "name"),
  SUB_TYPE: column("subType", SUB_TYPE),
  EVENT_PRODUCER_ID: chronicleProducerDimension("eventProducer"),
  PRIORITY: column("priority", "priority"),
  DRAFT: { ...column("draft", "draft"), show: (text) => text === "true" },
  VALIDATION_STATUS: column("validationStatus", "validation_status"),
};

export const eventsSummaryKind: SummaryKind<FilterEventsSummaryInput> = summaryOfActivities({
  name: "events summary",
  dimensions,
  fields: { ...eventFields, metadata: metadataField },
  toFilter: inWordsOfActivities,
});
