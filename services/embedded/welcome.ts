import { HOUR_MS } from "../../schemas/units.ts";
import { DEFAULT_API_URL } from "../common/config.ts";
import { isLoopback } from "../common/loopback.ts";
import type { DevToken } from "./dev-token.ts";

export interface Welcome {
  /** URL of the GraphQL API. */
  readonly url: string;
  /** URL of the REST interface, without a path. */
  readonly restUrl: string;
  readonly token: DevToken;
  /** Undefined when there is no zone yet. */
  readonly zoneId: string | undefined;
  readonly dataDir: string;
  /** Milliseconds since the epoch; the examples ask for later events. */
  readonly since: number;
}

/** Returns suggestions for the next steps; the commands can be pasted unchanged. */
export function welcome({ url, restUrl, token, zoneId, dataDir, since }: Welcome): string {
  const now = new Date(Date.now() + HOUR_MS).toISOString();
  const between = `{ between: ["${new Date(since).toISOString()}", "${now}"] }`;
  const intersections = `{ zoneIntersections(first: 3, filter: { time: ${between} }) { totalCount edges { node { startTime endTime zone { name } track { id tag } } } } }`;
  const tracks = `{ tracks(first: 3, filter: { time: ${between} }) { totalCount edges { node { id tag startTime endTime dataSource { name } } } } }`;
  return [
    "",
    "tracklog is running. Ctrl-C stops it.",
    "",
    `  Console    ${linkOf("console", url, token)}`,
    `  GraphQL    ${url}`,
    `  GraphiQL   ${linkOf("graphiql", url, token)}`,
    `  REST       ${restUrl}/api, documented at ${restUrl}/docs`,
    `  token      x-token-id: ${token.id}`,
    `             x-token-value: ${token.value}`,
    `  data       ${dataDir}, logs in ${dataDir}/logs`,
    "",
    "Who was in which zone, and which tracks there were:",
    "",
    curl(url, token, intersections),
    "",
    curl(url, token, tracks),
    "",
    "Who is in a zone now:",
    "",
    `curl -s ${restUrl}/api/zones/${encodeURIComponent(zoneId ?? "ZONE_ID")} ${headersOf(token)}`,
    "",
    `Bring your own tracker output: ${importLine(url)}`,
    "",
  ].join("\n");
}

function importLine(url: string): string {
  const line = "npm run import -- FILE --format mot --data-source NAME --fps 30 --start 2026-01-01T00:00:00Z";
  return url === DEFAULT_API_URL ? line : `${line} --url ${url}`;
}

/** The token is in the fragment, which browsers send to no server; a page that other machines reach ignores it. */
function linkOf(path: "console" | "graphiql", url: string, token: DevToken): string {
  const page = url.replace(/graphql$/, path);
  const fragment = new URLSearchParams({ "x-token-id": token.id, "x-token-value": token.value });
  return isLoopback(new URL(url).hostname) ? `${page}#${fragment}` : page;
}

function curl(url: string, token: DevToken, query: string): string {
  return `curl -s ${url} -H 'content-type: application/json' ${headersOf(token)} -d '${JSON.stringify({ query })}'`;
}

const headersOf = ({ id, value }: DevToken): string => `-H 'x-token-id: ${id}' -H 'x-token-value: ${value}'`;
