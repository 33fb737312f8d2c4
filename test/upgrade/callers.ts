// Callers of both interfaces, each of which asks the two instances in turn. An answer that no document calls
// retryable is a complaint, and so is a connection that fails while its process should be there.
import { z } from "zod";
import {
  asking,
  createGraphQLClient,
  type GraphQLAnswer,
  type GraphQLClient,
} from "../support/clients/graphql-client.ts";
import { until } from "../support/running/processes.ts";
import type { Fleet } from "./fleet.ts";
import { createGap, type Gap } from "./gap.ts";

export interface RestAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the members of an answer that it reads.
  readonly body: any;
}

export interface RestCaller {
  /** Repeats until an instance gives an answer that is not retryable. `first`: the instance to ask first. */
  ask(method: string, path: string, body?: unknown, first?: number): Promise<RestAnswer>;
}

export interface Callers {
  /** One request to one instance; the next one goes to the other. */
  readonly client: GraphQLClient;
  readonly rest: RestCaller;
  /** Returns the address of the API for the next connection. */
  nextApi(): string;
  readonly gaps: Readonly<Record<"graphql" | "rest", Gap>>;
  /** Retryable answers so far, by their kind. */
  retryable(): Readonly<Record<string, number>>;
}

export interface CallersOptions {
  readonly fleet: Pick<Fleet, "urls" | "isAway">;
  readonly token: { readonly id: string; readonly value: string };
  readonly complain: (text: string) => void;
}

const ASKED_FOR_MS = 120_000;
const REPEAT_AFTER_MS = 50;

/** Errors of a connection to a process that stops, or is not there. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

export function createCallers({ fleet, token, complain }: CallersOptions): Callers {
  const counts: Record<string, number> = {};
  const gaps = { graphql: createGap(), rest: createGap() };
  const count = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  const noteFailure = (caller: string, url: string, error: unknown) => {
    const code = connectionErrorOf(error);
    if (code !== undefined && fleet.isAway(url)) count(code);
    else complain(`${caller} at ${url}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
  };

  let turn = 0;
  const nextApi = (): string => fleet.urls.api[turn++ % fleet.urls.api.length] ?? "";
  const clients = new Map(fleet.urls.api.map((url) => [url, createGraphQLClient(`${url}/graphql`, token)]));
  const send: GraphQLClient["send"] = async (query, variables, headers, timeoutMs) => {
    const url = nextApi();
    const client = clients.get(url);
    if (client === undefined) throw new Error(`no client for ${url}`);
    const answer = await client.send<never>(query, variables, headers, timeoutMs).catch((error: unknown) => {
      noteFailure("GraphQL", url, error);
      throw error;
    });
    const refusals = refusalsOf(answer);
    for (const { retryable, text } of refusals) {
      if (retryable) count("UNAVAILABLE");
      else complain(`GraphQL at ${url} refused ${query.slice(0, 100)}: ${text}`);
    }
    if (refusals.length === 0) gaps.graphql.answered();
    return answer;
  };

  let restTurn = 0;
  const rest = async (method: string, path: string, body?: unknown, first = restTurn++): Promise<RestAnswer> => {
    let attempt = first;
    return until(
      async () => {
        const url = fleet.urls["state-api"][attempt++ % fleet.urls["state-api"].length] ?? "";
        const answer = await askRest(url, { method, path, body, token }).catch((error: unknown) => {
          noteFailure("REST", url, error);
          throw error;
        });
        if (answer.status !== 503) {
          if (answer.status >= 500) complain(`${method} ${path} at ${url} was answered with ${answer.status}`);
          gaps.rest.answered();
          return answer;
        }
        if (answer.retryAfter === null) complain(`${method} ${path} at ${url}: 503 without retry-after`);
        count("503");
        throw new Error("503");
      },
      { timeoutMs: ASKED_FOR_MS, pauseMs: REPEAT_AFTER_MS },
    );
  };

  return { client: asking(send), rest: { ask: rest }, nextApi, gaps, retryable: () => ({ ...counts }) };
}

interface Refusal {
  readonly retryable: boolean;
  readonly text: string;
}

/** A deletion that is repeated finds nothing, so its caller has to decide about NOT_FOUND. */
function refusalsOf({ errors = [] }: GraphQLAnswer<never>): Refusal[] {
  return errors
    .filter(({ extensions: { code } }) => code !== "NOT_FOUND")
    .map(({ message, extensions }) => ({
      retryable: extensions.code === "UNAVAILABLE" && typeof extensions["retryAfterMs"] === "number",
      text: `${message} ${JSON.stringify(extensions)}`,
    }));
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly token: { readonly id: string; readonly value: string };
}

async function askRest(url: string, { method, path, body, token }: Asked) {
  const content = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...content, "x-token-id": token.id, "x-token-value": token.value },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: RestAnswer = { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  return { ...answer, retryAfter: response.headers.get("retry-after") };
}

const withCode = z.object({ code: z.string() });

/** fetch wraps the error of its connection. */
function connectionErrorOf(error: unknown): string | undefined {
  const { data } = withCode.safeParse(error instanceof Error ? error.cause : undefined);
  return data !== undefined && CONNECTION_ERRORS.has(data.code) ? data.code : undefined;
}
