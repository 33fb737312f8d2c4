// The objects among which a user chooses. There may be any number: they are found by their names, a few at a time.
import type { ChoiceKind } from "../questions/choice-kinds.ts";
import { LARGEST_PAGE } from "./all-nodes.ts";
import type { Asks } from "./asks.ts";

export interface ObjectChoice {
  /** Filters compare the id, and of a tag mostly the name. */
  readonly value: string;
  readonly name: string;
  /** Distinguishes objects of the same name, for example the camera of a zone. */
  readonly group?: string;
}

export interface FoundChoices {
  readonly choices: readonly ObjectChoice[];
  /** Whether the server knows more than these. */
  readonly hasMore: boolean;
}

interface Source {
  /** Field of Query, the type of its filter, and its other arguments. */
  readonly field: string;
  readonly filterType: string;
  readonly order?: string;
  readonly selection: string;
  readonly choice: (node: ObjectNode) => ObjectChoice;
}

/** The members that a source selects. */
interface ObjectNode {
  readonly id: string;
  readonly name: string;
  readonly dataSource?: { readonly name: string } | null;
  readonly site?: { readonly name: string } | null;
  readonly startTime?: string;
  readonly timestamp?: string;
}

const named = ({ id: value, name }: ObjectNode): ObjectChoice => ({ value, name });
const grouped = (node: ObjectNode, group: string | undefined): ObjectChoice =>
  group === undefined ? named(node) : { ...named(node), group };

const SOURCES: Readonly<Record<ChoiceKind, Source>> = {
  cameras: { field: "dataSources", filterType: "FilterDataSourceInput", selection: "id name", choice: named },
  zones: {
    field: "zones",
    filterType: "FilterZoneInput",
    selection: "id name dataSource { name }",
    choice: (zone) => grouped(zone, zone.dataSource?.name),
  },
  geofences: {
    field: "geofences",
    filterType: "FilterGeofenceInput",
    selection: "id name site { name }",
    choice: (geofence) => grouped(geofence, geofence.site?.name),
  },
  tags: {
    field: "tags",
    filterType: "FilterTagInput",
    selection: "id name",
    choice: ({ name }) => ({ value: name, name }),
  },
  tagIds: { field: "tags", filterType: "FilterTagInput", selection: "id name", choice: named },
  sites: { field: "sites", filterType: "FilterSiteInput", selection: "id name", choice: named },
  places: {
    field: "pointsOfInterest",
    filterType: "FilterPointOfInterestInput",
    selection: "id name site { name }",
    choice: (place) => grouped(place, place.site?.name),
  },
  producers: {
    field: "chronicleProducers",
    filterType: "FilterChronicleProducerInput",
    selection: "id name",
    choice: named,
  },
  activities: {
    field: "activityChronicles",
    filterType: "FilterActivityChronicleInput",
    order: "sort: [{ field: START_TIME, direction: DESC }]",
    selection: "id name startTime",
    choice: (activity) => grouped(activity, activity.startTime),
  },
  events: {
    field: "eventChronicles",
    filterType: "FilterEventChronicleInput",
    order: "sort: [{ field: TIMESTAMP, direction: DESC }]",
    selection: "id name timestamp",
    choice: (event) => grouped(event, event.timestamp),
  },
};

/** Nobody reads a longer list: another letter makes it shorter. */
const MOST_FOUND = 50;

/** The document that lists choices, for tests. */
export function choicesDocument(kind: ChoiceKind): string {
  const { field, filterType, selection, order = "" } = SOURCES[kind];
  return `query Choices($filter: ${filterType}!, $first: Int!) {
    ${field}(filter: $filter, first: $first ${order}) { edges { node { ${selection} } } pageInfo { hasNextPage } }
  }`;
}

interface ChoicesAnswer {
  readonly edges: readonly { readonly node: ObjectNode }[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** @param text a part of the name in any case, or the whole id. */
export const findChoices = (ask: Asks["ask"], kind: ChoiceKind, text: string, signal: AbortSignal) =>
  askChoices(
    ask,
    kind,
    text === "" ? {} : { or: [{ name: { like: text } }, { id: { eq: text } }] },
    MOST_FOUND,
    signal,
  );

/** The objects of these values. Those that do not exist any more are left out. */
export async function choicesOf(
  ask: Asks["ask"],
  kind: ChoiceKind,
  values: readonly string[],
  signal: AbortSignal,
): Promise<readonly ObjectChoice[]> {
  // The filter of tags compares the name, which is what people read.
  if (kind === "tags") return values.map((name) => ({ value: name, name }));
  const found: ObjectChoice[] = [];
  for (let from = 0; from < values.length; from += LARGEST_PAGE) {
    const page = values.slice(from, from + LARGEST_PAGE);
    found.push(...(await askChoices(ask, kind, { id: { in: page } }, page.length, signal)).choices);
  }
  return found;
}

async function askChoices(
  ask: Asks["ask"],
  kind: ChoiceKind,
  filter: object,
  first: number,
  signal: AbortSignal,
): Promise<FoundChoices> {
  const { field, choice } = SOURCES[kind];
  const answer = await ask<Readonly<Record<string, ChoicesAnswer>>>(choicesDocument(kind), { filter, first }, signal);
  const { edges = [], pageInfo = { hasNextPage: false } } = answer[field] ?? {};
  return { choices: edges.map(({ node }) => choice(node)), hasMore: pageInfo.hasNextPage };
}
