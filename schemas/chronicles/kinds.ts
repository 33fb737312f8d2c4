// The list of all kinds of chronicles.
import type { AvroSchema } from "../avro.ts";
import type { Changed } from "../catalog/changed.ts";
import {
  type ActivityChronicleFields,
  type ActivityMediaAdded,
  activityChronicleChanged,
  activityMediaAdded,
} from "./activity.ts";
import { type EventChronicleFields, eventChronicleChanged } from "./event.ts";
import { type SummaryChronicleFields, summaryChronicleChanged } from "./summary.ts";

export interface ChronicleFields {
  activityChronicle: ActivityChronicleFields;
  eventChronicle: EventChronicleFields;
  summaryChronicle: SummaryChronicleFields;
}

export type ChronicleKind = keyof ChronicleFields;

/** The event type of a kind. */
export type ChronicleChanged<K extends ChronicleKind> = `${Capitalize<K>}Changed`;

export type ChronicleEvents = { [K in ChronicleKind as ChronicleChanged<K>]: Changed<ChronicleFields[K]> } & {
  ActivityMediaAdded: ActivityMediaAdded;
};

export type ChronicleType = keyof ChronicleEvents;

export const chronicleRecords: { readonly [T in ChronicleType]: AvroSchema<ChronicleEvents[T]> } = {
  ActivityChronicleChanged: activityChronicleChanged.schema,
  EventChronicleChanged: eventChronicleChanged.schema,
  SummaryChronicleChanged: summaryChronicleChanged.schema,
  ActivityMediaAdded: activityMediaAdded.schema,
};

export const chronicleTypes = Object.keys(chronicleRecords) as readonly ChronicleType[];
