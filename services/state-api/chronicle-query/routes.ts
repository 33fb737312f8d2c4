import { RETRY_AFTER_MS } from "../../../schemas/errors.ts";
import {
  type ChronicleQuery,
  chronicleQueryAnswer,
  chronicleQueryBody,
  shownCredentials,
} from "../../../schemas/rest/chronicle-query.ts";
import { FairShare } from "../../common/fairness/fair-share.ts";
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

/** Each query may hold an answer of many megabytes. One token may run 16 of them. */
const MAX_RUNNING = 22;

const answers: Route["answers"] = {
  200: {
    description: "The members that `aggregation.output` asks for, and how they were found.",
    schema: chronicleQueryAnswer,
  },
  400: {
    description:
      "The body is not valid, window and lookback are longer than 100 days, `graphql_url` is a server that the " +
      "operator does not list, or the answer would have more than 64 Mi characters of chronicles.",
  },
  401: { description: "The token of the headers, or without one that of the credentials, is wrong or revoked." },
  413: {
    description:
      "The body exceeds STATE_API_BODY_LIMIT_BYTES (1 MiB by default), or 64 KiB without a token in the headers, " +
      "or has more than 20 000 values.",
  },
  429: {
    description:
      "This instance runs 22 chronicle queries already, or 16 of the token (fewer if other tokens have some), or the token " +
      "exceeds STATE_API_TOKEN_REQUESTS_PER_S or STATE_API_TOKEN_BYTES_PER_S.",
  },
  502: {
    description: "The GraphQL server did not answer as it should, or not in time; `detail` has its errors.",
  },
  503: {
    description:
      "No GraphQL server is set for this deployment, the answers of such servers take too much memory at the " +
      "moment, or too many requests are in progress.",
  },
};

export function chronicleQueryRoutes({ upstream, now = Date.now, timeoutMs }: ChronicleQueryDeps): readonly Route[] {
  const running = new FairShare(MAX_RUNNING);
  const deps = { upstream, now, ...(timeoutMs !== undefined && { timeoutMs }) };

  async function answer(body: ChronicleQuery, tokenId: string, gone: AbortSignal): Promise<string> {
    if (!running.mayTake(tokenId)) {
      const detail = `${running.all} chronicle queries are running, ${running.of(tokenId)} of them with this token`;
      throw new Problem("too-many-requests", detail, { headers: retryAfter(RETRY_AFTER_MS) });
    }
    running.take(tokenId);
    try {
      return await runQuery(body, deps, gone);
    } finally {
      running.giveBack(tokenId);
    }
  }

  return [
    route({
      method: "POST",
      path: "/api/chronicles/query",
      summary: "Returns chronicles of a window of time, filtered and aggregated",
      description:
        "A GraphQL server is asked for the chronicles, a day at a time. The query ends after 90 s, and when the caller " +
        "disconnects.",
      scope: "read, or in the body",
      tokenInBody,
      body: chronicleQueryBody,
      answers,
      handle: async ({ body, principal, gone }) => {
        if (!upstream.isWired) throw new Problem("unavailable", "no GraphQL server is set here: STATE_API_GRAPHQL_URL");
        return { status: 200, body: await answer(body, principal.tokenId, gone()) };
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
