// The subscriptions of chronicles. A creation or a change gives a message with the chronicle's present state. A
// deletion gives no message.
import type { ChronicleKind } from "../../schemas/chronicles/kinds.ts";
import type {
  FilterActivityChronicleInputSubscription,
  FilterEventChronicleInputSubscription,
  FilterSummaryChronicleInputSubscription,
} from "../../schemas/graphql/inputs.ts";
import { readChecked } from "../../schemas/read-message.ts";
import type { Chronicle } from "../chronicles/define-chronicle.ts";
import { type ChronicleEvent, evolveChronicle, kindOfEvent } from "../chronicles/evolve.ts";
import { chronicles } from "../chronicles/kinds.ts";
import { activityMessageFields, eventMessageFields, summaryMessageFields } from "../filters/chronicles.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { matches } from "../filters/match.ts";
import { type ChronicleMemory, type ChronicleRef, createChronicleMemory } from "./chronicle-memory.ts";
import type { ChronicleToFind, FeedFoldDeps, FeedKind, FeedMessage, TopicFold } from "./kind.ts";

export interface ChronicleMessage<K extends ChronicleKind = ChronicleKind> extends FeedMessage {
  readonly chronicle: Chronicle<K>;
}

const MAX_CHARACTERS = 32_000_000;

/** One fold serves all kinds, because they share a topic. */
export function createChroniclesFold({ codec, bounds }: FeedFoldDeps): TopicFold<ChronicleEvent> {
  const memory = createChronicleMemory(MAX_CHARACTERS);
  return {
    read({ value, timestamp }, partition) {
      const read = readChecked(codec, { topic: "chronicles", value, recordedAt: Number(timestamp), partition, bounds });
      return read.ok ? read.message : undefined;
    },
    fold: (event) => foldChronicle(memory, event),
    chronicles: {
      toFind: (events) => chroniclesToFind(memory, events),
      remember: (ref, found) => memory.set(ref, found ?? null),
    },
  };
}

const refOf = ({ type, event }: ChronicleEvent): ChronicleRef => ({ kind: kindOfEvent(type), id: event.id });

/** A creation and a deletion need no look-up: a creation has all fields, and a deletion gives no message. */
const isUpdate = ({ type, event }: ChronicleEvent): boolean =>
  type === "ActivityMediaAdded" || event.change === "updated";

export function chroniclesToFind(
  memory: ChronicleMemory,
  events: readonly (ChronicleEvent | undefined)[],
): readonly ChronicleToFind[] {
  memory.trim();
  const seen = new Set<string>();
  const wanted: ChronicleToFind[] = [];
  for (const [at, event] of events.entries()) {
    if (event === undefined) continue;
    const ref = refOf(event);
    const key = `${ref.kind} ${ref.id}`;
    if (isUpdate(event) && !seen.has(key) && memory.get(ref) === undefined) wanted.push({ ...ref, at });
    seen.add(key);
  }
  return wanted;
}

export function foldChronicle(memory: ChronicleMemory, event: ChronicleEvent): readonly FeedMessage[] {
  const ref = refOf(event);
  const before = memory.get(ref);
  const isCreation = event.type !== "ActivityMediaAdded" && event.event.change === "created";
  // An id is used once, so a deleted chronicle does not come back.
  if (before === null || (before === undefined && !isCreation)) {
    memory.set(ref, null);
    return [];
  }
  const after = evolveChronicle<object>(before, event);
  if (after === before) return [];
  memory.set(ref, after ?? null);
  if (after === undefined) return [];
  return fieldsOf[ref.kind].map((field) => ({ kind: field, index: 0, chronicle: after }) as ChronicleMessage);
}

/** The subscriptions that get messages of a kind. Events are activities under their former name. */
const fieldsOf: { readonly [K in ChronicleKind]: readonly string[] } = {
  activityChronicle: ["activityChronicles", "eventActivity"],
  eventChronicle: ["eventChronicles"],
  summaryChronicle: ["summaryChronicles"],
};

function kindOf<K extends ChronicleKind, Filter>(
  kind: K,
  fields: MemoryFields<Filter, Chronicle<K>>,
): FeedKind<ChronicleMessage<K>, Filter> {
  return {
    field: chronicles[kind].plural,
    topic: "chronicles",
    createFold: createChroniclesFold,
    // The casts are safe: the table has a field for each member of the filter.
    matches: (filter, { chronicle }) => matches(fields as never, filter as never, chronicle),
    mergeKey: ({ chronicle: { id } }) => id,
    rootValue: ({ chronicle }) => chronicle,
  };
}

export const activityChronicles = kindOf<"activityChronicle", FilterActivityChronicleInputSubscription>(
  "activityChronicle",
  activityMessageFields,
);
export const eventChronicles = kindOf<"eventChronicle", FilterEventChronicleInputSubscription>(
  "eventChronicle",
  eventMessageFields,
);
export const summaryChronicles = kindOf<"summaryChronicle", FilterSummaryChronicleInputSubscription>(
  "summaryChronicle",
  summaryMessageFields,
);
