// What a chronicle query asks for. Members that it does not know are ignored: clients send more than is needed here.
import { z } from "zod";
import { groupings } from "../../../projections/chronicle-query/aggregate.ts";
import { MAX_CHUNKS } from "../../../projections/chronicle-query/chunks.ts";
import { id, instant, listOf } from "../../../schemas/rest/pieces.ts";
import { optional } from "../../../schemas/rest/subscription.ts";

const DAY_S = 86_400;
const MAX_URL_LENGTH = 2_048;
const MAX_TOKEN_LENGTH = 1_024;
const MAX_VALUES = 1_000;
const MAX_VALUE_LENGTH = 1_024;
const MAX_LIMIT = 20_000;

/** As it is sent in a header. */
const headerValue = z
  .string()
  .min(1)
  .max(MAX_TOKEN_LENGTH)
  .regex(/^[\x21-\x7e]*$/, "a token has printable ASCII characters only");

/** null means the same as nothing, as in a subscription. */
const orNothing = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/** Of an object whose members may all be left out. */
const orEmpty = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .meta({ default: {} })
    .transform((value): z.output<T> => value ?? schema.parse({}));

const texts = optional(listOf(z.string().max(MAX_VALUE_LENGTH), MAX_VALUES), []);
const ids = orNothing(listOf(id, MAX_VALUES));

/** May be under `filters`, or beside it. */
const linkFilters = { producer_ids: ids, site_ids: ids, datasource_ids: ids };
type LinkFilter = keyof typeof linkFilters;

export const recordKinds = ["activity_chronicle", "event_chronicle"] as const;
export const timeMatches = ["overlap", "started_in"] as const;
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
    time_match: optional(z.enum(timeMatches), "overlap").meta({
      description:
        "overlap: an open chronicle runs to now. One that began before start_time - overlap_lookback_seconds is not found",
    }),
    include_open: optional(z.boolean(), true),
    overlap_lookback_seconds: optional(
      z
        .number()
        .min(0)
        .max(MAX_CHUNKS * DAY_S),
      7 * DAY_S,
    ).meta({ description: "Used with time_match overlap" }),
    filters: orEmpty(z.object({ ...linkFilters, labels: texts, statuses: texts, priorities: texts })).meta({
      description: "Labels, statuses and priorities compare without case; an empty list lets everything through",
    }),
    ...linkFilters,
    aggregation: orEmpty(
      z.object({ output: optional(z.enum(outputs), "raw"), group_by: orNothing(z.enum(groupings)) }),
    ).meta({ description: "group_by is needed for the output grouped" }),
    limit: optional(z.number().int().min(1).max(MAX_LIMIT), 5_000),
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

export type ChronicleQuery = z.output<typeof chronicleQueryBody>;
