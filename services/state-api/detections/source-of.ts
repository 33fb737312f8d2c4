// Chooses the GraphQL server for a request, and the scope of requests that may share its answers.
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { GRAPHQL_URL } from "../../../schemas/rest/detections.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { TrackSource } from "./read-tracks.ts";

export type SourceOf = (headers: IncomingHttpHeaders, gone: AbortSignal) => TrackSource;

const TIMEOUT_MS = 20_000;

/** Throws BAD_USER_INPUT for an address that the caller may not name. */
export const createSourceOf =
  (upstream: Upstream, now: () => number): SourceOf =>
  (headers, signal) => {
    const url = textOf(headers[GRAPHQL_URL]);
    if (url !== undefined) upstream.check(url, ["headers", GRAPHQL_URL]);
    const server = { url, tokenId: textOf(headers[TOKEN_ID]) ?? "", tokenValue: textOf(headers[TOKEN_VALUE]) ?? "" };
    const isOwn = url === undefined || upstream.isOwn(url);
    // The token of the request was checked here (or the installation needs none), and it may read everything that our
    // own API has. Answers of another server are shared only by requests to the same server with the same token.
    const scope = isOwn ? "own" : digest([url, server.tokenId, server.tokenValue]);
    return {
      scope,
      isOwn,
      zones: !isOwn,
      now,
      ask: (query, variables, data) => upstream.ask(server, { query, variables, data, timeoutMs: TIMEOUT_MS, signal }),
    };
  };

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === "string" && header !== "" ? header : undefined;

const digest = (parts: readonly string[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");
