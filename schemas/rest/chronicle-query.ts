// The body of a chronicle query, and the answer. Unknown members are ignored: clients send more than is needed.
import { z } from "zod";
import { idMember, instant, isoTimeSchema, listOf, MAX_URL_LENGTH } from "./pieces.ts";
import { optionalMember } from "./subscriptions.ts";

/** Longest time that a query fetches, the lookback included. */
export const MAX_QUERY_DAYS = 100;
const DAY_S = 86_400;
const MAX_TOKEN_LENGTH = 1_024;
const MAX_VALUES = 1_000;
const MAX_VALUE_LENGTH = 1_024;
const MAX_LIMIT = 20_000;

/** A value that is sent in a header. */
const headerValue = z
  .string()
  .min(1)
  .max(MAX_TOKEN_LENGTH)
  .regex(/^[\x21-\x7e]*$/, "a token has printable ASCII characters only");

/** A member for which null means the same as leaving it out, as in subscriptions. */
const orNothing = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/** For an object whose members may all be left out. */
const orEmpty = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .meta({ default: {} })
    .transform((value): z.output<T> => value ?? schema.parse({}));

const texts = optionalMember(listOf(z.string().max(MAX_VALUE_LENGTH), MAX_VALUES), []);
const ids = orNothing(listOf(idMember, MAX_VALUES));

/** These may be under `filters`, or beside it. */
const linkFilters = { producer_ids: ids, site_ids: ids, datasource_ids: ids };
type LinkFilter = keyof typeof linkFilters;

const recordKinds = ["activity_chronicle", "event_chronicle"] as const;
const timeMatches = ["overlap", "started_in"] as const;
const groupings = ["label", "status", "priority", "producer", "site"] as const;
const outputs = ["raw", "rollup", "grouped", "raw_and_rollup"] as const;

export const chronicleQueryBody = z
  .object({
    credentials: z
      .object({
        graphql_url: z.string().max(MAX_URL_LENGTH).meta({ format: "uri" }),
        token_id: headerValue,
        token_value: headerValue,
        ws_url: z.string().nullish().meta({ description: "Not used" }),
      })
      .meta({
        description:
          "The token that is passed on to the GraphQL server: our own or one of ALLOWED_URL_DOMAINS and ALLOWED_URL_CIDRS. It is used for this request only. Without a token in the headers of the request it is also the caller's token here.",
      }),
    record_kind: z.enum(recordKinds),
    start_time: instant,
    end_time: instant.meta({ description: "Not part of the window" }),
    time_match: optionalMember(z.enum(timeMatches), "overlap").meta({
      description:
        "overlap: an open chronicle runs to now. One that began before start_time - overlap_lookback_seconds is not found",
    }),
    include_open: optionalMember(z.boolean(), true),
    overlap_lookback_seconds: optionalMember(
      z
        .number()
        .min(0)
        .max(MAX_QUERY_DAYS * DAY_S),
      7 * DAY_S,
    ).meta({ description: "Used with time_match overlap" }),
    filters: orEmpty(z.object({ ...linkFilters, labels: texts, statuses: texts, priorities: texts })).meta({
      description: "Labels, statuses and priorities compare without case; an empty list lets everything through",
    }),
    ...linkFilters,
    aggregation: orEmpty(
      z.object({ output: optionalMember(z.enum(outputs), "raw"), group_by: orNothing(z.enum(groupings)) }),
    ).meta({ description: "group_by is needed for the output grouped" }),
    limit: optionalMember(z.number().int().min(1).max(MAX_LIMIT), 5_000),
  })
  .superRefine((body, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    if (body.start_time >= body.end_time) refuse(["end_time"], "the end is after the start");
    if (body.aggregation.output === "grouped" && body.aggregation.group_by === undefined) {
      refuse(["aggregation", "group_by"], "needed for the output grouped");
    }
    for (const name of Object.keys(linkFilters) as LinkFilter[]) {
      if (body[name] !== undefined && body.filters[name] !== undefined) refuse([name], `also under filters`);
    }
  });

/** The part of a body that is read before its check. */
export const shownCredentials = z.object({ credentials: z.object({ token_id: z.string(), token_value: z.string() }) });

export type ChronicleQuery = z.output<typeof chronicleQueryBody>;
export type ChronicleGrouping = (typeof groupings)[number];

const chronicles = z.array(z.looseObject({ id: z.string() })).meta({
  description: "The GraphQL objects (ActivityChronicle, EventChronicle), ordered by start, their times in UTC",
});
const counts = z.record(z.string(), z.number().int());

const rollup = z.object({
  total: z.number().int(),
  by_status: counts,
  by_priority: counts,
  by_label: counts,
  by_producer: counts,
  earliest_start: isoTimeSchema.optional(),
  latest_end: isoTimeSchema.optional().meta({ description: "Of chronicles that have ended" }),
});

export type Rollup = z.output<typeof rollup>;

export const chronicleQueryAnswer = z.object({
  chronicles: chronicles.optional(),
  groups: z
    .array(z.object({ key: z.string(), count: z.number().int(), chronicles }))
    .optional()
    .meta({ description: `By ${groupings.join(", ")}; producers and sites by id. Without a value the key is (none)` }),
  rollup: rollup.optional(),
  meta: z.object({
    window: z.object({ start_time: isoTimeSchema, end_time: isoTimeSchema, time_match: z.enum(timeMatches) }),
    record_kind: z.enum(recordKinds),
    chunks_queried: z.number().int(),
    total_matched: z.number().int().meta({ description: "How many are in the answer" }),
    truncated: z.boolean().meta({ description: "More than limit matched" }),
  }),
});
