// Operations over Server-Sent Events: the "distinct connections mode" of graphql-sse, one stream per operation. The id
// of an event is its cursor, so that a browser's EventSource resumes by itself.
import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { AppError, badInput, unavailable } from "../../../schemas/errors.ts";
import type { Selection } from "../feed/selection.ts";
import type { Sink } from "../feed/subscriber.ts";
import { formatError } from "../graphql/errors.ts";
import { toJson } from "../graphql/execute.ts";
import { cursorOf, minPositionOf, type Operation, readOperation } from "../graphql/operation.ts";
import { TOKEN_ID, TOKEN_VALUE } from "../http/auth.ts";
import { isLarge } from "../http/parse-json.ts";
import type { Handle } from "../http/server.ts";
import { POSITION_HEADER } from "../read/position.ts";
import type { Client, TransportDeps } from "./transport.ts";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // A connection kept alive after its stream would delay the stop of the server.
  connection: "close",
  // Without it, nginx would gather events before it passes them on.
  "x-accel-buffering": "no",
};
const CONGESTED_BYTES = 256 * 1024;
const RETRY_AFTER_MS = 1_000;
const CLOSE_GRACE_MS = 2_000;
const COMPLETE = "event: complete\ndata:\n\n";
const KEEP_ALIVE = ":\n\n";

/** Throws an AppError, before anything was answered, for a request that is no operation. */
export function createEventStream(deps: TransportDeps): Handle {
  const { clients, createContext, execute, log } = deps;
  return async (request, reply, principal) => {
    const operation = read(request);
    const gone = new AbortController();
    const minPosition = minPositionOf(operation, request.headers[POSITION_HEADER]);
    const context = createContext(principal, minPosition, () => gone.signal);
    if (!clients.hasRoom()) throw unavailable("too many clients here", RETRY_AFTER_MS);
    reply.hijack();
    const response = reply.raw;
    response.once("close", () => gone.abort());
    response.writeHead(200, HEADERS);
    response.flushHeaders();
    try {
      const outcome = await execute(operation, context);
      if (outcome.type === "answer") finish(response, toJson(outcome, context.positions));
      else if (!gone.signal.aborted) follow(request, response, outcome.selection, cursorIn(request, operation), deps);
    } catch (error) {
      finish(response, refusal(error, log));
    }
  };
}

const refusal = (error: unknown, log: TransportDeps["log"]): string =>
  JSON.stringify({ errors: [formatError(error, log)] });

/** Throws BAD_USER_INPUT if the cursor is none of this subscription. */
function follow(
  request: FastifyRequest,
  response: ServerResponse,
  selection: Selection,
  cursor: unknown,
  { authenticate, clients, feed, log }: TransportDeps,
): void {
  const sink: Sink = {
    congested: () => response.writableLength > CONGESTED_BYTES,
    write({ body, cursor }) {
      write(response, `event: next\nid: ${cursor}\ndata: ${body.toString()}\n\n`);
    },
    end: (_reason, error) => finish(response, refusal(error, log)),
  };
  const subscriber = feed.subscribe(selection, sink, cursor);
  let stuckAt = -1;
  const client: Client = {
    keepAlive() {
      // Clients do not answer here: a client is gone if data waits and it has taken nothing since the last call.
      const waiting = response.writableLength;
      const isStuck = waiting > 0 && waiting === stuckAt;
      stuckAt = waiting;
      if (isStuck) response.destroy();
      else if (waiting === 0) write(response, KEEP_ALIVE);
    },
    checkToken() {
      const { headers } = request;
      if (!(authenticate({ id: headers[TOKEN_ID], value: headers[TOKEN_VALUE] }) instanceof AppError)) return;
      subscriber.stop();
      client.shutDown();
    },
    // Sends no "complete": the client sees a broken stream, and comes back with its cursor.
    shutDown: () => end(response),
  };
  clients.add(client);
  response.on("drain", subscriber.flush);
  response.on("close", () => {
    subscriber.stop();
    clients.remove(client);
  });
}

/** Throws BAD_USER_INPUT. EventSource can only use GET, which must change nothing. */
function read({ method, query, body }: FastifyRequest): Operation {
  if (method === "GET") return { ...readOperation(fromUrl(query), false), readOnly: true };
  return readOperation(body, isLarge(body));
}

/** EventSource sends its last cursor in a header. */
function cursorIn({ headers }: FastifyRequest, operation: Operation): unknown {
  const resumed = headers["last-event-id"];
  return typeof resumed === "string" && resumed !== "" ? resumed : cursorOf(operation);
}

function fromUrl(query: unknown): Record<string, unknown> {
  const { variables, extensions, ...rest } = query as Record<string, string | undefined>;
  const parsed = (text: string | undefined, name: string) => {
    try {
      return text === undefined ? undefined : JSON.parse(text);
    } catch {
      throw badInput(`${name} is a JSON object`, [name]);
    }
  };
  return { ...rest, variables: parsed(variables, "variables"), extensions: parsed(extensions, "extensions") };
}

function write(response: ServerResponse, text: string): void {
  if (response.writable) response.write(text);
}

function finish(response: ServerResponse, result: string): void {
  write(response, `event: next\ndata: ${result}\n\n`);
  write(response, COMPLETE);
  end(response);
}

function end(response: ServerResponse): void {
  response.end();
  setTimeout(() => response.destroy(), CLOSE_GRACE_MS).unref();
}
