// A summary of a period, which refers to activities and events.
import { array, string, time } from "../avro.ts";
import { changedRecord } from "../catalog/changed.ts";
import { type AnyChronicleFields, commonChronicleFields } from "./fields.ts";

export interface SummaryChronicleFields extends AnyChronicleFields {
  readonly startTime: number;
  readonly endTime: number;
  readonly activityChronicleIds: readonly string[] | null;
  readonly eventChronicleIds: readonly string[] | null;
}

export const summaryChronicleChanged = changedRecord<SummaryChronicleFields>("SummaryChronicle", {
  ...commonChronicleFields,
  startTime: time,
  endTime: time,
  activityChronicleIds: array(string),
  eventChronicleIds: array(string),
});
