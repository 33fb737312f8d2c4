// What a chronicle query asks for. Members that it does not know are ignored: clients send more than is needed here.
import { z } from "zod";
import { groupings } from "../../../projections/chronicle-query/aggregate.ts";
import { MAX_CHUNKS } from "../../../projections/chronicle-query/chunks.ts";
import { id, instant, listOf } from "../../../schemas/rest/pieces.ts";

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

const texts = listOf(z.string().max(MAX_VALUE_LENGTH), MAX_VALUES);
const ids = listOf(id, MAX_VALUES);

/** May be under `filters`, or beside it. */
const linkFilters = { producer_ids: ids.optional(), site_ids: ids.optional(), datasource_ids: ids.optional() };
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
        ws_url: z.string().optional().meta({ description: "Not used" }),
      })
      .meta({
        description:
          "The token that is passed on to the GraphQL server: our own or one of ALLOWED_URL_DOMAINS and ALLOWED_URL_CIDRS. It is used for this request only. Without a token in the headers of the request it is also the caller's token here.",
      }),
    record_kind: z.enum(recordKinds),
    start_time: instant,
    end_time: instant.meta({ description: "Not part of the window" }),
    time_match: z.enum(timeMatches).default("overlap").meta({
      description:
        "overlap: an open chronicle runs to now. One that began before start_time - overlap_lookback_seconds is not found",
    }),
    include_open: z.boolean().default(true),
    overlap_lookback_seconds: z
      .number()
      .min(0)
      .max(MAX_CHUNKS * DAY_S)
      .default(7 * DAY_S)
      .meta({ description: "Used with time_match overlap" }),
    filters: z
      .object({
        ...linkFilters,
        labels: texts.default([]),
        statuses: texts.default([]),
        priorities: texts.default([]),
      })
      .prefault({})
      .meta({
        description: "Labels, statuses and priorities compare without case; an empty list lets everything through",
      }),
    ...linkFilters,
    aggregation: z
      .object({ output: z.enum(outputs).default("raw"), group_by: z.enum(groupings).optional() })
      .prefault({})
      .meta({ description: "group_by is needed for the output grouped" }),
    limit: z.number().int().min(1).max(MAX_LIMIT).default(5_000),
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
