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
const linkFilters = {
  producer_ids: ids.describe("Chronicle producers"),
  site_ids: ids.describe("Sites; no event chronicle has one"),
  datasource_ids: ids.describe("Data sources; no event chronicle has one"),
};
type LinkFilter = keyof typeof linkFilters;

const recordKinds = ["activity_chronicle", "event_chronicle"] as const;
const timeMatches = ["overlap", "started_in"] as const;
const groupings = ["label", "status", "priority", "producer", "site"] as const;
const outputs = ["raw", "rollup", "grouped", "raw_and_rollup"] as const;

export const chronicleQueryBody = z
  .object({
    credentials: z
      .object({
        graphql_url: z
          .string()
          .max(MAX_URL_LENGTH)
          .meta({ format: "uri" })
          .describe("Server with the chronicles: our own GraphQL API, or a server that the operator lists"),
        token_id: headerValue.describe("Value of the header x-token-id for that server"),
        token_value: headerValue.describe("Value of the header x-token-value for that server"),
        ws_url: z.string().nullish().describe("Accepted and not used"),
      })
      .describe(
        "Token for the GraphQL server. It is kept nowhere. " +
          "If the request has no token in its headers, this one is also the caller's token here.",
      ),
    record_kind: z.enum(recordKinds).describe("Kind of the chronicles; an event chronicle is an instant"),
    start_time: instant.describe("Start of the window, which it includes"),
    end_time: instant.describe(
      `End of the window, which it does not include. Window and lookback have at most ${MAX_QUERY_DAYS} days together`,
    ),
    time_match: optionalMember(z.enum(timeMatches), "overlap").describe(
      "overlap: the chronicle has time in common with the window; an open one lasts until now. " +
        "started_in: it begins in the window",
    ),
    include_open: optionalMember(z.boolean(), true).describe("false leaves out chronicles without an end"),
    overlap_lookback_seconds: optionalMember(
      z
        .number()
        .min(0)
        .max(MAX_QUERY_DAYS * DAY_S),
      7 * DAY_S,
    ).describe("For time_match overlap: a chronicle that began more seconds than this before start_time is not found"),
    filters: orEmpty(
      z.object({
        ...linkFilters,
        labels: texts.describe("Compared without case"),
        statuses: texts.describe("Compared without case"),
        priorities: texts.describe("Compared without case"),
      }),
    ).describe(
      "A chronicle must have a value of each list; an empty list, like null, lets everything through. " +
        "producer_ids, site_ids and datasource_ids may be beside `filters` instead, but not in both places.",
    ),
    ...linkFilters,
    aggregation: orEmpty(
      z.object({
        output: optionalMember(z.enum(outputs), "raw").describe(
          "raw: chronicles. rollup: counts. grouped: chronicles in groups. raw_and_rollup: chronicles and counts",
        ),
        group_by: orNothing(z.enum(groupings)).describe("Needed for the output grouped, ignored otherwise"),
      }),
    ).describe("Form of the answer"),
    limit: optionalMember(z.number().int().min(1).max(MAX_LIMIT), 5_000).describe(
      "Most chronicles in the answer, its groups and its rollup; if more match, those with the earliest starts count",
    ),
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

const chronicles = z
  .array(z.looseObject({ id: z.string().describe("Id of the chronicle") }))
  .describe("GraphQL objects (ActivityChronicle or EventChronicle), ordered by start, with times in UTC");
const counts = z.record(z.string(), z.number().int());

const rollup = z.object({
  total: z.number().int().describe("Number of chronicles"),
  by_status: counts.describe("Number of chronicles by status; those without a status are left out"),
  by_priority: counts.describe("Number of chronicles by priority; those without a priority are left out"),
  by_label: counts.describe("Number of chronicles by label; one with several labels counts for each"),
  by_producer: counts.describe("Number of chronicles by the producer's id"),
  earliest_start: isoTimeSchema.optional().describe("Start of the earliest chronicle; left out when nothing matched"),
  latest_end: isoTimeSchema.optional().describe("Latest end of a chronicle that has ended; left out when none has"),
});

export type Rollup = z.output<typeof rollup>;

const group = z.object({
  key: z
    .string()
    .describe("Label, status or priority, or the id of the producer or site; (none) for chronicles without a value"),
  count: z.number().int().describe("Number of chronicles in the group"),
  chronicles,
});

const meta = z.object({
  window: z
    .object({
      start_time: isoTimeSchema.describe("Included"),
      end_time: isoTimeSchema.describe("Not included"),
      time_match: z.enum(timeMatches).describe("Value of the request, or the default"),
    })
    .describe("Window of the query"),
  record_kind: z.enum(recordKinds).describe("Value of the request"),
  chunks_queried: z.number().int().describe("Number of periods of at most 24 hours that were fetched"),
  total_matched: z.number().int().describe("Number of chronicles in the answer, at most `limit`"),
  truncated: z.boolean().describe("true when more chronicles matched than `limit`"),
});

export const chronicleQueryAnswer = z.object({
  chronicles: chronicles
    .optional()
    .describe("GraphQL objects as in groups, ordered by start. For the outputs raw and raw_and_rollup"),
  groups: z
    .array(group)
    .optional()
    .describe("Largest group first; a chronicle is in the group of each of its values. For the output grouped"),
  rollup: rollup
    .optional()
    .describe("Counts of the chronicles in the answer. For the outputs rollup and raw_and_rollup"),
  meta: meta.describe("Facts about the query"),
});
