// Refusals that endpoints have in common, for the document. An endpoint that has further reasons for a status lists all
// reasons in its answers, which count instead.
import type { Route } from "./route.ts";

export const sharedRefusals: Readonly<Record<number, string>> = {
  400: "The path, the query, a header or the body is not valid.",
  401: "The request has no token, or one that is wrong or revoked.",
  403: "The token does not have the scope that the operation needs.",
  404: "There is no such path.",
  405: "The path does not have this method; the header `allow` lists those that it has.",
  413: "The body exceeds STATE_API_BODY_LIMIT_BYTES (1 MiB by default), or has more than 20 000 values.",
  415: "The body is not application/json.",
  429: "The token exceeds STATE_API_TOKEN_REQUESTS_PER_S or STATE_API_TOKEN_BYTES_PER_S.",
  503: "A store does not answer, or too many requests are in progress.",
};

/** The server parses the body of every request but GET, also when the endpoint needs none. */
export function refusalsOf({ method, path, scope, query, body }: Route): readonly number[] {
  const hasBody = method !== "GET";
  const hasInput = path.includes("{") || query !== undefined || hasBody;
  const isCounted = scope !== "open" || body !== undefined;
  return [
    ...(hasInput ? [400] : []),
    ...(scope === "open" ? [] : [401, 403]),
    ...(hasBody ? [413, 415] : []),
    ...(scope === "open" ? [] : [429]),
    ...(isCounted ? [503] : []),
  ];
}

/** Statuses whose answers may say when to repeat the request. */
export const RETRIED: ReadonlySet<number> = new Set([429, 503]);
