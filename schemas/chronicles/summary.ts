// A summary of a period, which refers to activities and events.
import { array, string, time } from "../avro.ts";
import { changed } from "../catalog/changed.ts";
import { type AnyChronicleFields, anyChronicle } from "./fields.ts";

export interface SummaryChronicleFields extends AnyChronicleFields {
  readonly startTime: number;
  readonly endTime: number;
  readonly activityChronicleIds: readonly string[] | null;
  readonly eventChronicleIds: readonly string[] | null;
}

export const summaryChronicleChanged = changed<SummaryChronicleFields>("SummaryChronicle", {
  ...anyChronicle,
  startTime: time,
  endTime: time,
  activityChronicleIds: array(string),
  eventChronicleIds: array(string),
});
