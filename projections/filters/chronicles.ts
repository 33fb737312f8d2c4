// The filters of chronicles, for queries and for subscriptions. The SQL refers to the columns of the views of
// chronicles.
import type { ActivityChronicleFields } from "../../schemas/chronicles/activity.ts";
import type { EventChronicleFields } from "../../schemas/chronicles/event.ts";
import type { AnyChronicleFields } from "../../schemas/chronicles/fields.ts";
import type { SummaryChronicleFields } from "../../schemas/chronicles/summary.ts";
import type {
  FilterActivityChronicleInput,
  FilterActivityChronicleInputSubscription,
  FilterEventChronicleInput,
  FilterEventChronicleInputSubscription,
  FilterSummaryChronicleInput,
  FilterSummaryChronicleInputSubscription,
} from "../../schemas/graphql/inputs.ts";
import type { Entity } from "../catalog/define-entity.ts";
import type { Fields } from "./fields.ts";
import { listInColumn } from "./kinds/list.ts";
import { timeField } from "./kinds/number.ts";
import { point } from "./kinds/point.ts";
import { idField, stringField } from "./kinds/string.ts";
import { timeRange } from "./kinds/time-range.ts";

type Any = Entity<AnyChronicleFields>;

/** The members that all filters have. */
const anyChronicle: Fields<
  Omit<FilterSummaryChronicleInputSubscription, "startTime" | "endTime" | "and" | "or" | "not">,
  Any
> = {
  id: idField({ value: (chronicle) => chronicle.id, sql: "chronicle_id", isKey: true }),
  name: stringField({ value: (chronicle) => chronicle.name, sql: "name" }),
  chronicleProducerId: idField({ value: (chronicle) => chronicle.chronicleProducerId, sql: "chronicle_producer_id" }),
  timezone: stringField({ value: (chronicle) => chronicle.timezone, sql: "timezone", nullable: true }),
  priority: stringField({ value: (chronicle) => chronicle.priority, sql: "priority", nullable: true }),
  status: stringField({ value: (chronicle) => chronicle.status, sql: "status", nullable: true }),
  validation: stringField({
    value: ({ validation }: Any) => validation?.status,
    sql: "validation_status",
    nullable: true,
  }),
  labels: listInColumn({ value: (chronicle) => chronicle.labels ?? [], sql: "labels" }),
  locations: listInColumn({ value: (chronicle) => chronicle.locations ?? [], sql: "locations" }),
};

type Activity = Entity<ActivityChronicleFields>;

export const activityMessageFields: Fields<FilterActivityChronicleInputSubscription, Activity> = {
  ...anyChronicle,
  startTime: timeField({ value: (activity) => activity.startTime, sql: "start_time" }),
  endTime: timeField({ value: (activity) => activity.endTime, sql: "end_time", nullable: true }),
  tagIds: listInColumn({ value: (activity) => activity.tagIds ?? [], sql: "tag_ids" }),
  siteIds: listInColumn({ value: (activity) => activity.siteIds ?? [], sql: "site_ids" }),
  dataSourceIds: listInColumn({ value: (activity) => activity.dataSourceIds ?? [], sql: "data_source_ids" }),
  pointOfInterestIds: listInColumn({
    value: (activity) => activity.pointOfInterestIds ?? [],
    sql: "point_of_interest_ids",
  }),
};

export const activityFields: Fields<FilterActivityChronicleInput, Activity> = {
  ...activityMessageFields,
  description: stringField({ value: (activity) => activity.description, sql: "description", nullable: true }),
  timeRange: timeRange({
    value: ({ startTime, endTime }) => ({ start: startTime, end: endTime }),
    start: "start_time",
    end: "end_time",
  }),
  position: point(({ position }) => (position === null ? [] : [position]), {
    longitude: "longitude",
    latitude: "latitude",
  }),
};

type Event = Entity<EventChronicleFields>;

export const eventMessageFields: Fields<FilterEventChronicleInputSubscription, Event> = {
  ...anyChronicle,
  timestamp: timeField({ value: (event) => event.timestamp, sql: "timestamp" }),
};

/** Removes deleted chronicles from a list that refers to them. */
const stillThere = (column: string, table: string): string =>
  `arrayFilter(each -> each NOT IN (SELECT chronicle_id FROM ${table} WHERE deleted = 1), ${column})`;

const activityIds = listInColumn({
  value: ({ activityChronicleIds }: Pick<EventChronicleFields, "activityChronicleIds">) => activityChronicleIds ?? [],
  sql: stillThere("activity_chronicle_ids", "activity_chronicles_v1"),
});

export const eventChronicleFields: Fields<FilterEventChronicleInput, Event> = {
  ...eventMessageFields,
  activityChronicleIds: activityIds,
};

type Summary = Entity<SummaryChronicleFields>;

export const summaryMessageFields: Fields<FilterSummaryChronicleInputSubscription, Summary> = {
  ...anyChronicle,
  startTime: timeField({ value: (summary) => summary.startTime, sql: "start_time" }),
  endTime: timeField({ value: (summary) => summary.endTime, sql: "end_time" }),
};

export const summaryFields: Fields<FilterSummaryChronicleInput, Summary> = {
  ...summaryMessageFields,
  activityChronicleIds: activityIds,
  eventChronicleIds: listInColumn({
    value: (summary) => summary.eventChronicleIds ?? [],
    sql: stillThere("event_chronicle_ids", "event_chronicles_v1"),
  }),
};
