// Node's HTTP server with a gate: an operation that finds no room is refused before anything is made of the request, for
// under a flood that is most of the work.
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { unavailable } from "../common/errors.ts";
import { refusalOf, statusOf } from "./errors.ts";
import type { Intake } from "./intake.ts";

/** A request that takes longer than this to arrive is given up. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than load balancers keep an idle connection, so that they are the ones who close it. */
const KEEP_ALIVE_MS = 72_000;
const RETRY_AFTER_MS = 1_000;

const { code, message, retryAfterMs } = refusalOf(unavailable("too much is coming in at once", RETRY_AFTER_MS));
const BODY = Buffer.from(JSON.stringify({ errors: [{ message, extensions: { code, retryAfterMs } }] }));
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "content-length": BODY.length,
  "retry-after": String(RETRY_AFTER_MS / 1_000),
};

export const createHttpServer = (listener: RequestListener, path: string, intake: Intake): Server =>
  createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const letIn = () => listener(request, response);
    if (!request.url?.startsWith(path)) letIn();
    else if (!intake.offer(request, response, letIn)) refuse(response);
  });

function refuse(response: ServerResponse): void {
  response.writeHead(statusOf[code], HEADERS);
  response.end(BODY);
}
