// The GraphQL documents, one per kind of chronicle, and the parsing of their answers.
import { z } from "zod";
import type { ChronicleRecord } from "../../../projections/chronicles/query/record.ts";
import { parseDateTime } from "../../../schemas/date-time.ts";
import { isoTime } from "../../../schemas/identity.ts";
import { boundedListOf } from "../upstream/list-of.ts";
import { upstreamFailed } from "../upstream/upstream.ts";

/**
 * Our own API lets an operation produce a million objects; a page of this size, with linked objects, takes a quarter of
 * that.
 */
export const PAGE_SIZE = 250;

const COMMON = `id chronicleProducer { id name } name description timezone metadata
  validation { status reason details } priority status labels locations createdAt updatedAt`;

const ACTIVITY = `${COMMON} startTime endTime position { type coordinates } images { id url }
  dataSourceClips { id startTime endTime url dataSource { id name } } tracks { id } sites { id name }
  dataSources { id name } tags { id name } pointsOfInterest { id name }`;

const EVENT = `${COMMON} timestamp activityChronicles { id }`;

const documentOf = (field: string, filter: string, selection: string) =>
  `query ChronicleQuery($filter: ${filter}, $first: Int!, $after: String) {
  ${field}(filter: $filter, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor }
    edges { node { ${selection} } }
  }
}`;

const time = z.string().transform((text, context) => {
  const ms = parseDateTime(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: "custom", message: "not a time" });
  return z.NEVER;
});
const named = z.object({ id: z.string().min(1) });
const orEmpty = <T extends z.ZodType>(each: T) =>
  boundedListOf(each)
    .nullish()
    .transform((list) => list ?? []);
const idsOf = orEmpty(named).transform((list) => list.map(({ id }) => id));
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

const common = {
  id: z.string().min(1),
  chronicleProducer: named.nullish().transform((producer) => producer?.id ?? null),
  status: text,
  priority: text,
  labels: orEmpty(z.string()),
};

const activity = z
  .object({ ...common, startTime: time, endTime: time.nullish(), sites: idsOf, dataSources: idsOf })
  .transform(
    ({ id, startTime, endTime, labels, status, priority, chronicleProducer, sites, dataSources }): ChronicleRecord => ({
      id,
      start: startTime,
      end: endTime ?? null,
      labels,
      status,
      priority,
      producerId: chronicleProducer,
      siteIds: sites,
      dataSourceIds: dataSources,
    }),
  );

const event = z.object({ ...common, timestamp: time }).transform(
  ({ id, timestamp, labels, status, priority, chronicleProducer }): ChronicleRecord => ({
    id,
    start: timestamp,
    end: timestamp,
    labels,
    status,
    priority,
    producerId: chronicleProducer,
    siteIds: [],
    dataSourceIds: [],
  }),
);

const connection = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  edges: boundedListOf(z.object({ node: z.record(z.string(), z.unknown()) }), PAGE_SIZE),
});
export type DocumentPage = z.output<typeof connection>;

/** The server filters by `timeField`. `record` parses the members of a raw object that the query needs. */
export const chronicleDocuments = {
  activity_chronicle: {
    query: documentOf("activityChronicles", "FilterActivityChronicleInput", ACTIVITY),
    timeField: "startTime",
    page: z.object({ activityChronicles: connection }).transform((data): DocumentPage => data.activityChronicles),
    record: activity,
  },
  event_chronicle: {
    query: documentOf("eventChronicles", "FilterEventChronicleInput", EVENT),
    timeField: "timestamp",
    page: z.object({ eventChronicles: connection }).transform((data): DocumentPage => data.eventChronicles),
    record: event,
  },
} as const;

/** Returns the raw object as JSON, its times in UTC. Metadata belongs to the producer and is left unchanged. */
export function rawJson({ dataSourceClips, ...node }: Readonly<Record<string, unknown>>): string {
  const clips = Array.isArray(dataSourceClips) ? { dataSourceClips: dataSourceClips.map(inUtc) } : {};
  try {
    return JSON.stringify({ ...inUtc(node), ...clips });
  } catch (error) {
    // Metadata may be nested deeper than the stack allows.
    throw upstreamFailed("a chronicle is nested too deep", error);
  }
}

const TIMES = ["startTime", "endTime", "timestamp", "createdAt", "updatedAt"];

function inUtc(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const found = TIMES.flatMap((name) => {
    const value = object[name];
    const ms = typeof value === "string" ? parseDateTime(value) : undefined;
    return ms === undefined ? [] : [[name, isoTime(ms)]];
  });
  return { ...object, ...Object.fromEntries(found) };
}
