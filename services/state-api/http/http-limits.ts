// Bounds of the HTTP server itself, before a route is known, and the answer to a client that does not speak HTTP.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { PROBLEM_JSON, Problem, type ProblemKind } from "./problem.ts";

/** A request that takes longer than this to arrive is given up. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than load balancers keep an idle connection, so that they close it first. */
const KEEP_ALIVE_MS = 72_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** The server refuses further connections. */
export const MAX_CONNECTIONS = 10_000;

export const httpLimits = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  http: { headersTimeout: HEADERS_TIMEOUT_MS, maxHeaderSize: MAX_HEADER_BYTES },
};

/** A client that has not taken its whole answer within this time counts as gone. */
export const ANSWER_TAKEN_WITHIN_MS = 60_000;

/**
 * Closes the connection when the client does not take the whole answer in time. An unread answer would hold its memory,
 * and count among the requests in progress, for ever.
 */
export function closeUnlessRead(response: ServerResponse, withinMs: number): void {
  // Most answers are already handed to the operating system here.
  if (response.writableFinished) return;
  const timer = setTimeout(() => response.destroy(), withinMs).unref();
  response.once("close", () => clearTimeout(timer));
}

const kinds: Readonly<Record<string, ProblemKind>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "timeout",
  HPE_HEADER_OVERFLOW: "headers-too-large",
};

/** Answers errors of Node's parser: there is no request to answer, so the answer goes to the socket. */
export function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (!socket.writable) return void socket.destroy();
  const problem = new Problem(kinds[error.code ?? ""] ?? "validation", "the request cannot be read");
  const body = JSON.stringify(problem.document);
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.document.title}`,
    `content-type: ${PROBLEM_JSON}; charset=utf-8`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
