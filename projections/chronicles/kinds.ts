// All kinds of chronicles.
import type { ChronicleKind } from "../../schemas/chronicles/kinds.ts";
import { type ChronicleDescription, chronicleFilterFields, defineChronicle } from "./define-chronicle.ts";

export const activityChronicle = defineChronicle<"activityChronicle">({
  kind: "activityChronicle",
  name: "activity chronicle",
  plural: "activityChronicles",
  start: "startTime",
  end: "endTime",
  fields: {
    ...chronicleFilterFields,
    startTime: { type: "time", nullable: false },
    endTime: { type: "time", nullable: true },
    position: { type: "point", nullable: true },
    imageIds: { type: "ids", nullable: true, refersTo: "image", grows: true },
    clips: { type: "clips", nullable: true, grows: true },
    trackIds: { type: "ids", nullable: true, refersTo: "track" },
    siteIds: { type: "ids", nullable: true, refersTo: "site" },
    dataSourceIds: { type: "ids", nullable: true, refersTo: "dataSource" },
    tagIds: { type: "ids", nullable: true, refersTo: "tag" },
    pointOfInterestIds: { type: "ids", nullable: true, refersTo: "pointOfInterest" },
    draft: { type: "flag", nullable: true },
  },
});

export const eventChronicle = defineChronicle<"eventChronicle">({
  kind: "eventChronicle",
  name: "event chronicle",
  plural: "eventChronicles",
  start: "timestamp",
  fields: {
    ...chronicleFilterFields,
    timestamp: { type: "time", nullable: false },
    activityChronicleIds: { type: "ids", nullable: true, refersTo: "activityChronicle" },
  },
});

export const summaryChronicle = defineChronicle<"summaryChronicle">({
  kind: "summaryChronicle",
  name: "summary chronicle",
  plural: "summaryChronicles",
  start: "startTime",
  end: "endTime",
  fields: {
    ...chronicleFilterFields,
    startTime: { type: "time", nullable: false },
    endTime: { type: "time", nullable: false },
    activityChronicleIds: { type: "ids", nullable: true, refersTo: "activityChronicle" },
    eventChronicleIds: { type: "ids", nullable: true, refersTo: "eventChronicle" },
  },
});

export const chronicles: { readonly [K in ChronicleKind]: ChronicleDescription<K> } = {
  activityChronicle,
  eventChronicle,
  summaryChronicle,
};
