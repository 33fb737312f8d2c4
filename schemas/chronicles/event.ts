// An event chronicle: something that happened at an instant.
import { array, string, time } from "../avro.ts";
import { changedRecord } from "../catalog/changed.ts";
import { type AnyChronicleFields, commonChronicleFields } from "./fields.ts";

export interface EventChronicleFields extends AnyChronicleFields {
  readonly timestamp: number;
  readonly activityChronicleIds: readonly string[] | null;
}

export const eventChronicleChanged = changedRecord<EventChronicleFields>("EventChronicle", {
  ...commonChronicleFields,
  timestamp: time,
  activityChronicleIds: array(string),
});
