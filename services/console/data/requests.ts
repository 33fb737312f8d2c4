// Questions over HTTP: GraphQL and REST.
import { MINUTE_MS } from "../../../schemas/units.ts";
import { serverClock } from "./clock.ts";
import { ApiError, errorOf, type Fault, type GraphqlError } from "./errors.ts";
import { headersOf, type Token } from "./session.ts";

export interface Requests {
  /**
   * Sends a query or a mutation.
   * @throws ApiError when it is refused, in part or in whole, or does not arrive.
   */
  ask<Data>(document: string, variables?: object, signal?: AbortSignal): Promise<Data>;
  /**
   * Sends a request to the REST interface; `path` begins with /api.
   * @param conditions headers on which it depends, such as If-None-Match.
   * @returns the JSON of the answer; undefined when it has no body.
   * @throws ApiError when it is refused or does not arrive.
   */
  rest<Data>(
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
    conditions?: Readonly<Record<string, string>>,
  ): Promise<Data>;
  /** Whether browsers can reach the REST interface. */
  readonly hasRest: boolean;
}

interface GraphqlAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphqlError[];
}

/** A problem document of the REST interface (RFC 9457). */
interface Problem {
  /** For example urn:tracklog:problem:not-found. */
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
}

/** Longer than any limit of the server. A request that hangs would stop the questions that follow it. */
const ANSWER_WITHIN_MS = MINUTE_MS;

/** @param restUrl without a path; empty when there is none. */
export function createRequests(token: Token, restUrl: string): Requests {
  const headers = { ...headersOf(token), "content-type": "application/json" };

  async function send(url: string, init: RequestInit): Promise<Response> {
    const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answered = serverClock.sent();
    const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
    try {
      const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", ...init, signal });
      // A server of another origin does not show this header.
      answered(response.headers.get("date"));
      return response;
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new ApiError("UNREACHABLE", "The server did not answer.");
    }
  }

  return {
    hasRest: restUrl !== "",
    async ask<Data>(document: string, variables: object = {}, signal?: AbortSignal) {
      const body = JSON.stringify({ query: document, variables });
      const response = await send("/graphql", { method: "POST", headers, body, ...(signal && { signal }) });
      const { data, errors } = (await jsonOf(response)) as GraphqlAnswer<Data>;
      const [error] = errors ?? [];
      if (error !== undefined) throw errorOf(error);
      if (data == null) throw new ApiError(codeOf(response), `The server answered with status ${response.status}.`);
      return data;
    },
    async rest<Data>(
      method: string,
      path: string,
      body?: object,
      signal?: AbortSignal,
      conditions?: Readonly<Record<string, string>>,
    ) {
      const sent = { ...headers, ...conditions };
      const init = { method, headers: sent, ...(body && { body: JSON.stringify(body) }), ...(signal && { signal }) };
      const response = await send(restUrl + path, init);
      const answer = await jsonOf(response);
      if (!response.ok) throw problemOf(answer as Problem, response);
      return answer as Data;
    },
  };
}

/** An answer that is not JSON, for example of a proxy, has no members. */
async function jsonOf(response: Response): Promise<object> {
  try {
    return (await response.json()) ?? {};
  } catch {
    return {};
  }
}

/** A proxy answers for a server that is away. */
const codeOf = ({ status }: Response): string => (status >= 502 && status <= 504 ? "UNAVAILABLE" : "INTERNAL");

function problemOf({ type = "", detail, title, errors = [] }: Problem, response: Response): ApiError {
  const { status, headers } = response;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  const code = type.split(":").at(-1)?.replaceAll("-", "_").toUpperCase() || codeOf(response);
  const message = detail ?? title ?? `The server answered with status ${status}.`;
  return new ApiError(code, message, { retryAfterMs, faults: errors });
}
