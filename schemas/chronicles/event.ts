// An event chronicle: something that happened at an instant.
import { array, string, time } from "../avro.ts";
import { changed } from "../catalog/changed.ts";
import { type AnyChronicleFields, anyChronicle } from "./fields.ts";

export interface EventChronicleFields extends AnyChronicleFields {
  readonly timestamp: number;
  readonly activityChronicleIds: readonly string[] | null;
}

export const eventChronicleChanged = changed<EventChronicleFields>("EventChronicle", {
  ...anyChronicle,
  timestamp: time,
  activityChronicleIds: array(string),
});
