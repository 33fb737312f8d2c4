// Node's HTTP server with a gate. It refuses a request that exceeds a limit of its caller or the intake's budget before
// anything reads it, because under a flood reading requests is most of the work.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AppError, unavailable } from "../../../schemas/errors.ts";
import { PROBES } from "../../common/process/probes.ts";
import { refusalOf, retryAfterSeconds, statusOf } from "../graphql/errors.ts";
import type { BodyIntake } from "./intake.ts";

/** A request that takes longer than this to arrive is given up. */
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Milliseconds for which an idle connection is kept: longer than load balancers keep it, so that they close it first.
 */
const KEEP_ALIVE_MS = 72_000;

/** An answer that is sent without the framework. */
interface Refusing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
}

const FULL = refusing(unavailable("too much is coming in at once"));

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

/**
 * Identifies the caller of a request, whose principal it sets, and counts the request.
 * @returns the refusal when the caller exceeds a limit. An unknown caller is not refused here.
 */
export type Identify = (request: IncomingMessage) => AppError | undefined;

export const createHttpServer = (
  listener: RequestListener,
  intake: Pick<BodyIntake, "offer">,
  identify: Identify = () => undefined,
): Server =>
  createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const letIn = () => listener(request, response);
    if (passes(request)) return letIn();
    const refusal = identify(request);
    if (refusal !== undefined) refuse(response, refusing(refusal));
    else if (!intake.offer(request, response, letIn)) refuse(response, FULL);
  });

function refuse(response: ServerResponse, { status, headers, body }: Refusing): void {
  response.writeHead(status, headers);
  response.end(body);
}

function refusing(error: AppError): Refusing {
  const { code, message, retryAfterMs } = refusalOf(error);
  const body = Buffer.from(JSON.stringify({ errors: [{ message, extensions: { code, retryAfterMs } }] }));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": body.length,
    "retry-after": retryAfterSeconds(retryAfterMs),
  };
  return { status: statusOf[code], headers, body };
}
