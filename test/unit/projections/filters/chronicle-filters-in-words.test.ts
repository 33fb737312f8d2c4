// The same as filters-in-words, for chronicles, their producers, and the deprecated events.
import { describe, test } from "vitest";
import { type ChronicleProducer, producerListing } from "../../../../projections/catalog/chronicle-producer.ts";
import type { Chronicle } from "../../../../projections/chronicles/define-chronicle.ts";
import { evolveChronicle } from "../../../../projections/chronicles/evolve.ts";
import { chronicles } from "../../../../projections/chronicles/kinds.ts";
import {
  activityMessageFields,
  eventMessageFields,
  summaryMessageFields,
} from "../../../../projections/filters/chronicles.ts";
import { eventFields, renamedOnce } from "../../../../projections/filters/events.ts";
import { matches } from "../../../../projections/filters/match.ts";
import type { ChronicleKind } from "../../../../schemas/chronicles/kinds.ts";
import type {
  FilterActivityChronicleInputSubscription,
  FilterChronicleProducerInput,
  FilterEventActivityInput,
  FilterEventChronicleInputSubscription,
  FilterSummaryChronicleInputSubscription,
} from "../../../../schemas/graphql/inputs.ts";
import { every, instant, text, when } from "../../../integration/history/matches.ts";
import { pick, type Random } from "../../../integration/history/world.ts";
import { anyCreation } from "../../../support/random/any-chronicles.ts";
import {
  anyActivityMessageFilter,
  anyEventActivityFilter,
  anyEventMessageFilter,
  anyProducerFilter,
  anySummaryMessageFilter,
} from "../../../support/random/any-filters.ts";
import { any, chance } from "../../../support/random/any-values.ts";
import { agree, flag, list, made } from "./in-words.ts";

/** Makes a random chronicle as its creation leaves it. */
function subjectOf<K extends ChronicleKind>(kind: K) {
  return (random: Random): Chronicle<K> => {
    const created = anyCreation(random, chronicles[kind], pick(random, any.ids));
    return evolveChronicle<object>(undefined, created) as Chronicle<K>;
  };
}

type AnyFilter = Omit<FilterSummaryChronicleInputSubscription, "startTime" | "endTime" | "and" | "or" | "not">;

const ofAnyKind = (filter: AnyFilter, one: Chronicle<"eventChronicle" | "activityChronicle" | "summaryChronicle">) => [
  when(filter.id, (id) => text(one.id, id)),
  when(filter.name, (name) => text(one.name, name)),
  when(filter.chronicleProducerId, (id) => text(one.chronicleProducerId, id)),
  when(filter.timezone, (timezone) => text(one.timezone, timezone)),
  when(filter.priority, (priority) => text(one.priority, priority)),
  when(filter.status, (status) => text(one.status, status)),
  when(filter.validation, (status) => text(one.validation?.status ?? null, status)),
  when(filter.labels, (labels) => list(one.labels ?? [], labels)),
  when(filter.locations, (locations) => list(one.locations ?? [], locations)),
];

/** Applies a filter to an end, which may be missing. */
const atEnd = (end: number | null, filter: NonNullable<FilterSummaryChronicleInputSubscription["endTime"]>): boolean =>
  end === null ? filter.eq == null && filter.between == null && filter.attributeExists !== true : instant(end, filter);

describe("messages about chronicles", () => {
  test("of activities", async () => {
    type Filter = FilterActivityChronicleInputSubscription;
    const inWords = (filter: Filter, one: Chronicle<"activityChronicle">): boolean =>
      every(
        filter,
        [
          ...ofAnyKind(filter, one),
          when(filter.startTime, (time) => instant(one.startTime, time)),
          when(filter.endTime, (time) => atEnd(one.endTime, time)),
          when(filter.tagIds, (ids) => list(one.tagIds ?? [], ids)),
          when(filter.siteIds, (ids) => list(one.siteIds ?? [], ids)),
          when(filter.dataSourceIds, (ids) => list(one.dataSourceIds ?? [], ids)),
          when(filter.pointOfInterestIds, (ids) => list(one.pointOfInterestIds ?? [], ids)),
        ],
        (inner) => inWords(inner, one),
      );
    const matched = (filter: Filter, one: Chronicle<"activityChronicle">) =>
      matches(activityMessageFields, filter, one);
    await agree(anyActivityMessageFilter, subjectOf("activityChronicle"), matched, inWords);
  });

  test("of events", async () => {
    type Filter = FilterEventChronicleInputSubscription;
    const inWords = (filter: Filter, one: Chronicle<"eventChronicle">): boolean =>
      every(
        filter,
        [...ofAnyKind(filter, one), when(filter.timestamp, (time) => instant(one.timestamp, time))],
        (inner) => inWords(inner, one),
      );
    const matched = (filter: Filter, one: Chronicle<"eventChronicle">) => matches(eventMessageFields, filter, one);
    await agree(anyEventMessageFilter, subjectOf("eventChronicle"), matched, inWords);
  });

  test("of summaries", async () => {
    type Filter = FilterSummaryChronicleInputSubscription;
    const inWords = (filter: Filter, one: Chronicle<"summaryChronicle">): boolean =>
      every(
        filter,
        [
          ...ofAnyKind(filter, one),
          when(filter.startTime, (time) => instant(one.startTime, time)),
          when(filter.endTime, (time) => instant(one.endTime, time)),
        ],
        (inner) => inWords(inner, one),
      );
    const matched = (filter: Filter, one: Chronicle<"summaryChronicle">) => matches(summaryMessageFields, filter, one);
    await agree(anySummaryMessageFilter, subjectOf("summaryChronicle"), matched, inWords);
  });

  test("under the former name: the type is the name, the subtype the first label", async () => {
    const inWords = (filter: FilterEventActivityInput, one: Chronicle<"activityChronicle">): boolean =>
      every(
        filter,
        [
          when(filter.eventProducerId, (id) => text(one.chronicleProducerId, id)),
          when(filter.type, (type) => text(one.name, type)),
          when(filter.subType, (type) => text(one.labels?.[0] ?? null, type)),
          when(filter.priority, (priority) => text(one.priority, priority)),
          when(filter.draft, ({ attributeExists, ...draft }) => {
            const isThere = when(attributeExists, (wanted) => wanted === (one.draft !== null));
            const says = { eq: draft.eq ?? null, ne: draft.ne ?? null };
            return isThere && (one.draft === null ? says.eq === null : flag(one.draft, says));
          }),
        ],
        (inner) => inWords(inner, one),
      );
    const matched = (filter: FilterEventActivityInput, one: Chronicle<"activityChronicle">) =>
      matches(eventFields, renamedOnce(filter), one);
    await agree(anyEventActivityFilter, subjectOf("activityChronicle"), matched, inWords);
  });
});

test("on chronicle producers", async () => {
  const subject = (random: Random): ChronicleProducer => ({
    ...{ ...made, id: pick(random, any.ids), name: pick(random, any.words), active: chance(random, 0.5) },
    ...{ description: null, timezone: null, validationReasons: [], metadata: null },
  });
  const inWords = (filter: FilterChronicleProducerInput, one: ChronicleProducer): boolean =>
    every(
      filter,
      [
        when(filter.id, (id) => text(one.id, id)),
        when(filter.name, (name) => text(one.name, name)),
        when(filter.active, (wanted) => flag(one.active, wanted)),
      ],
      (inner) => inWords(inner, one),
    );
  await agree(anyProducerFilter, subject, (filter, one) => producerListing.matches(filter, one, nothing), inWords);
});

/** No other entity is asked for. */
const nothing = { get: () => undefined, referring: () => [] };
