import { z } from "zod";
import { groupings } from "../../../projections/chronicle-query/aggregate.ts";
import { isoTime } from "../../../schemas/rest/pieces.ts";
import { type ChronicleQuery, chronicleQueryBody, recordKinds, timeMatches } from "../chronicle-query/body.ts";
import { runQuery } from "../chronicle-query/run.ts";
import { Problem, retryAfter } from "../http/problem.ts";
import { type Route, route, type ShownToken } from "../http/route.ts";
import type { Upstream } from "../upstream/upstream.ts";

interface ChronicleQueryDeps {
  readonly upstream: Upstream;
  readonly now?: () => number;
  /** Of a query as a whole. */
  readonly timeoutMs?: number;
}

/** Each may hold an answer of many megabytes. */
const MAX_RUNNING = 16;
const RETRY_AFTER_MS = 1_000;

export function chronicleQueryRoutes({ upstream, now = Date.now, timeoutMs }: ChronicleQueryDeps): readonly Route[] {
  let running = 0;
  const deps = { upstream, now, ...(timeoutMs !== undefined && { timeoutMs }) };

  async function answer(body: ChronicleQuery, gone: AbortSignal): Promise<string> {
    if (running >= MAX_RUNNING) {
      const headers = retryAfter(RETRY_AFTER_MS);
      throw new Problem("too-many-requests", `${MAX_RUNNING} chronicle queries are running`, { headers });
    }
    running++;
    try {
      return await runQuery(body, deps, gone);
    } finally {
      running--;
    }
  }

  return [
    route({
      method: "POST",
      path: "/api/chronicles/query",
      summary: "Chronicles of a window of time, from a GraphQL server, filtered and aggregated",
      scope: "read, or in the body",
      tokenInBody,
      body: chronicleQueryBody,
      answers: {
        200: { description: "What aggregation.output asks for, and how it was found", schema: answerSchema },
        401: { description: "The headers, or without a token there the credentials, hold no valid token" },
        502: { description: "The GraphQL server did not answer as it should; its errors are in the detail" },
        503: { description: "No GraphQL server is set for this deployment" },
      },
      handle: async ({ body, gone }) => {
        if (!upstream.isWired) throw new Problem("unavailable", "no GraphQL server is set here: STATE_API_GRAPHQL_URL");
        return { status: 200, body: await answer(body, gone()) };
      },
    }),
  ];
}

const shownCredentials = z.object({ credentials: z.object({ token_id: z.string(), token_value: z.string() }) });

/** Looks at nothing else: each wrong value of a whole body would cost its check. */
function tokenInBody(body: unknown): ShownToken {
  const { data } = shownCredentials.safeParse(body);
  return { id: data?.credentials.token_id, value: data?.credentials.token_value };
}

const chronicles = z.array(z.looseObject({ id: z.string() })).meta({
  description: "The GraphQL objects (ActivityChronicle, EventChronicle), ordered by start, their times in UTC",
});
const counts = z.record(z.string(), z.number().int());

const answerSchema = z.object({
  chronicles: chronicles.optional(),
  groups: z
    .array(z.object({ key: z.string(), count: z.number().int(), chronicles }))
    .optional()
    .meta({ description: `By ${groupings.join(", ")}; producers and sites by id. Without a value the key is (none)` }),
  rollup: z
    .object({
      total: z.number().int(),
      by_status: counts,
      by_priority: counts,
      by_label: counts,
      by_producer: counts,
      earliest_start: isoTime.optional(),
      latest_end: isoTime.optional().meta({ description: "Of chronicles that have ended" }),
    })
    .optional(),
  meta: z.object({
    window: z.object({ start_time: isoTime, end_time: isoTime, time_match: z.enum(timeMatches) }),
    record_kind: z.enum(recordKinds),
    chunks_queried: z.number().int(),
    total_matched: z.number().int().meta({ description: "How many are in the answer" }),
    truncated: z.boolean().meta({ description: "More than limit matched" }),
  }),
});
