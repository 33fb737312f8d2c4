import { RETRY_AFTER_MS } from "../../../schemas/errors.ts";
import {
  type ChronicleQuery,
  chronicleQueryAnswer,
  chronicleQueryBody,
  shownCredentials,
} from "../../../schemas/rest/chronicle-query.ts";
import { Problem, retryAfter } from "../http/problem.ts";
import { type Route, route, type ShownToken } from "../http/route.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { runQuery } from "./run.ts";

interface ChronicleQueryDeps {
  readonly upstream: Upstream;
  readonly now?: () => number;
  /** Milliseconds for a query as a whole. */
  readonly timeoutMs?: number;
}

/** Each query may hold an answer of many megabytes. */
const MAX_RUNNING = 16;

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
        200: { description: "What aggregation.output asks for, and how it was found", schema: chronicleQueryAnswer },
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

/**
 * Reads only the credentials. The caller is unknown at this point, and the check of a whole body costs time for each
 * wrong value.
 */
function tokenInBody(body: unknown): ShownToken {
  const { data } = shownCredentials.safeParse(body);
  return { id: data?.credentials.token_id, value: data?.credentials.token_value };
}
