// Node's HTTP server with a gate. It refuses a request that exceeds the intake's budget before anything reads it,
// because under a flood reading requests is most of the work.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { RETRY_AFTER_MS, unavailable } from "../../../schemas/errors.ts";
import { PROBES } from "../../common/process/probes.ts";
import { refusalOf, statusOf } from "../graphql/errors.ts";
import type { BodyIntake } from "./intake.ts";

/** A request that takes longer than this to arrive is given up. */
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Milliseconds for which an idle connection is kept: longer than load balancers keep it, so that they close it first.
 */
const KEEP_ALIVE_MS = 72_000;

const { code, message, retryAfterMs } = refusalOf(unavailable("too much is coming in at once"));
const BODY = Buffer.from(JSON.stringify({ errors: [{ message, extensions: { code, retryAfterMs } }] }));
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "content-length": BODY.length,
  "retry-after": String(RETRY_AFTER_MS / 1_000),
};

/**
 * Only probes bypass the intake, and only in this spelling. The router accepts many spellings of one address, so the
 * list has the addresses that pass, not those that wait.
 */
const PASSING: ReadonlySet<string | undefined> = new Set(PROBES);

const passes = ({ method, url, headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") &&
  PASSING.has(url) &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined;

export const createHttpServer = (listener: RequestListener, intake: Pick<BodyIntake, "offer">): Server =>
  createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const letIn = () => listener(request, response);
    if (passes(request)) letIn();
    else if (!intake.offer(request, response, letIn)) refuse(response);
  });

function refuse(response: ServerResponse): void {
  response.writeHead(statusOf[code], HEADERS);
  response.end(BODY);
}
