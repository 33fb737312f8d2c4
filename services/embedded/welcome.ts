import { DEFAULT_API_URL } from "../common/config.ts";
import { isLoopback } from "../common/loopback.ts";
import type { Token } from "./dev-token.ts";

export interface Welcome {
  readonly url: string;
  readonly token: Token;
  readonly dataDir: string;
  /** ms since the epoch; the examples ask for what happened since. */
  readonly since: number;
}

/** What to try next; the commands can be pasted as they are. */
export function welcome({ url, token, dataDir, since }: Welcome): string {
  const now = new Date(Date.now() + 3_600_000).toISOString();
  const between = `{ between: ["${new Date(since).toISOString()}", "${now}"] }`;
  const intersections = `{ zoneIntersections(first: 3, filter: { time: ${between} }) { totalCount edges { node { startTime endTime zone { name } track { id tag } } } } }`;
  const tracks = `{ tracks(first: 3, filter: { time: ${between} }) { totalCount edges { node { id tag startTime endTime dataSource { name } } } } }`;
  return [
    "",
    "tracklog is running. Ctrl-C stops it.",
    "",
    `  GraphQL    ${url}`,
    `  GraphiQL   ${graphiqlLink(url, token)}`,
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
    `Bring your own tracker output: ${importLine(url)}`,
    "",
  ].join("\n");
}

function importLine(url: string): string {
  const line = "npm run import -- FILE --format mot --data-source NAME --fps 30 --start 2026-01-01T00:00:00Z";
  return url === DEFAULT_API_URL ? line : `${line} --url ${url}`;
}

/** The fragment, which browsers send to nobody, holds the token; a page that other machines reach does not take it. */
function graphiqlLink(url: string, token: Token): string {
  const page = url.replace(/graphql$/, "graphiql");
  const fragment = new URLSearchParams({ "x-token-id": token.id, "x-token-value": token.value });
  return isLoopback(new URL(url).hostname) ? `${page}#${fragment}` : page;
}

function curl(url: string, token: Token, query: string): string {
  const headers = ["content-type: application/json", `x-token-id: ${token.id}`, `x-token-value: ${token.value}`];
  return `curl -s ${url} ${headers.map((header) => `-H '${header}'`).join(" ")} -d '${JSON.stringify({ query })}'`;
}
