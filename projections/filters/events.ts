// The deprecated events are activities under other names, so their filters are those of activities, renamed.
import type { ActivityChronicleFields } from "../../schemas/chronicles/activity.ts";
import type { FilterBooleanInput, FilterJSONFieldStringInput, FilterStringInput } from "../../schemas/filters.ts";
import type {
  FilterActivityChronicleInput,
  FilterEventActivityInput,
  FilterEventInput,
} from "../../schemas/graphql/inputs.ts";
import type { Entity } from "../catalog/define-entity.ts";
import { activityFields } from "./chronicles.ts";
import type { Fields, Filtering } from "./fields.ts";
import { booleanField } from "./kinds/boolean.ts";
import { stringField } from "./kinds/string.ts";

type Activity = Entity<ActivityChronicleFields>;

/** The members that only the filters of events have. */
interface OfEvents {
  readonly subType?: FilterStringInput | null;
  readonly draft?: FilterBooleanInput | null;
}

type OfActivities = Omit<FilterActivityChronicleInput, "and" | "or" | "not">;

/** The subtype in SQL: the first label of the activity. */
export const SUB_TYPE = "if(empty(labels), NULL, labels[1])";

const ofEvents: Fields<OfEvents, Activity> = {
  subType: stringField({
    value: (activity) => activity.labels?.[0],
    sql: SUB_TYPE,
    nullable: true,
  }),
  draft: booleanField({ value: (activity) => activity.draft, sql: "draft", nullable: true }),
};

export const eventFields: Fields<OfActivities & OfEvents, Activity> = { ...activityFields, ...ofEvents };

/** The members that only the filters of summaries have. */
interface OfSummaries {
  readonly metadata?: FilterJSONFieldStringInput | null | undefined;
}

type Members = OfActivities & OfEvents & OfSummaries;

/** A filter of events with its members renamed to those of activities. */
type Renamed = Filtering<{ [Name in keyof Members]-?: NonNullable<Members[Name]> }>;

type AnyEventFilter = Partial<Omit<FilterEventInput, "and" | "or" | "not">> &
  OfSummaries & {
    readonly and?: readonly AnyEventFilter[] | null | undefined;
    readonly or?: readonly AnyEventFilter[] | null | undefined;
    readonly not?: AnyEventFilter | null | undefined;
  };

export function inWordsOfActivities({ and, or, not, ...filter }: AnyEventFilter): Renamed {
  const { eventProducerId, type, subType, time, draft, priority, validation, metadata } = filter;
  return {
    chronicleProducerId: eventProducerId,
    name: type,
    startTime: time,
    subType,
    draft,
    priority,
    validation,
    metadata,
    ...(and == null ? {} : { and: and.map(inWordsOfActivities) }),
    ...(or == null ? {} : { or: or.map(inWordsOfActivities) }),
    ...(not == null ? {} : { not: inWordsOfActivities(not) }),
  };
}

const renamed = new WeakMap<object, Renamed>();

/** A subscriber's filter is tested with every message, so it is renamed once. */
export function renamedOnce(filter: FilterEventActivityInput): Renamed {
  const known = renamed.get(filter) ?? inWordsOfActivities(filter);
  renamed.set(filter, known);
  return known;
}
