// The filters of chronicles, for queries and for subscriptions. The SQL is over the columns of the views of chronicles.
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
import { time } from "./kinds/number.ts";
import { point } from "./kinds/point.ts";
import { id, string } from "./kinds/string.ts";
import { timeRange } from "./kinds/time-range.ts";

type Any = Entity<AnyChronicleFields>;

/** The members that all filters have. */
const anyChronicle: Fields<
  Omit<FilterSummaryChronicleInputSubscription, "startTime" | "endTime" | "and" | "or" | "not">,
  Any
> = {
  id: id({ value: (chronicle) => chronicle.id, sql: "chronicle_id", isKey: true }),
  name: string({ value: (chronicle) => chronicle.name, sql: "name" }),
  chronicleProducerId: id({ value: (chronicle) => chronicle.chronicleProducerId, sql: "chronicle_producer_id" }),
  timezone: string({ value: (chronicle) => chronicle.timezone, sql: "timezone", nullable: true }),
  priority: string({ value: (chronicle) => chronicle.priority, sql: "priority", nullable: true }),
  status: string({ value: (chronicle) => chronicle.status, sql: "status", nullable: true }),
  validation: string({
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
  startTime: time({ value: (activity) => activity.startTime, sql: "start_time" }),
  endTime: time({ value: (activity) => activity.endTime, sql: "end_time", nullable: true }),
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
  description: string({ value: (activity) => activity.description, sql: "description", nullable: true }),
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
  timestamp: time({ value: (event) => event.timestamp, sql: "timestamp" }),
};

/** A deleted chronicle drops out of the lists that refer to it. */
const stillThere = (column: string, table: string): string =>
  `arrayFilter(each -> each NOT IN (SELECT chronicle_id FROM ${table} WHERE deleted = 1), ${column})`;

const activityIds = listInColumn({
  value: ({ activityChronicleIds }: Pick<EventChronicleFields, "activityChronicleIds">) => activityChronicleIds ?? [],
  sql: stillThere("activity_chronicle_ids", "activity_chronicles_v1"),
});

export const eventFields: Fields<FilterEventChronicleInput, Event> = {
  ...eventMessageFields,
  activityChronicleIds: activityIds,
};

type Summary = Entity<SummaryChronicleFields>;

export const summaryMessageFields: Fields<FilterSummaryChronicleInputSubscription, Summary> = {
  ...anyChronicle,
  startTime: time({ value: (summary) => summary.startTime, sql: "start_time" }),
  endTime: time({ value: (summary) => summary.endTime, sql: "end_time" }),
};

export const summaryFields: Fields<FilterSummaryChronicleInput, Summary> = {
  ...summaryMessageFields,
  activityChronicleIds: activityIds,
  eventChronicleIds: listInColumn({
    value: (summary) => summary.eventChronicleIds ?? [],
    sql: stillThere("event_chronicle_ids", "event_chronicles_v1"),
  }),
};
