// Operations over Server-Sent Events: the "distinct connections mode" of graphql-sse, one stream per operation. The id of
// an event is its cursor, so that a browser's EventSource resumes by itself.
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, badInput, unavailable } from "../../../schemas/errors.ts";
import type { Sink, Subscriber } from "../feed/subscriber.ts";
import type { Principal } from "../graphql/context.ts";
import type { Operation } from "../graphql/engine.ts";
import { formatError } from "../graphql/errors.ts";
import { TOKEN_ID, TOKEN_VALUE } from "../http/auth.ts";
import { readOperation } from "../http/request.ts";
import type { Client, Clients, TransportDeps } from "./transport.ts";

interface Asked {
  readonly operation: Operation;
  readonly cursor: unknown;
}

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // A connection kept alive after its stream would hold up the server that stops.
  connection: "close",
  // nginx would gather events before passing them on.
  "x-accel-buffering": "no",
};
const CONGESTED_BYTES = 256 * 1024;
const RETRY_AFTER_MS = 1_000;
const CLOSE_GRACE_MS = 2_000;
const COMPLETE = "event: complete\ndata:\n\n";
const KEEP_ALIVE = ":\n\n";

/** Throws an AppError, before anything was answered, for a request that is none. */
export function serveEventStreams(clients: Clients, deps: TransportDeps) {
  const { operations, log } = deps;
  return async (request: FastifyRequest, reply: FastifyReply, principal: Principal): Promise<void> => {
    const { operation, cursor } = read(request);
    if (!clients.hasRoom()) throw unavailable("too many clients here", RETRY_AFTER_MS);
    const prepared = operations.prepare(operation, principal);
    if (prepared.type === "mutation" && request.method === "GET") throw badInput("a mutation is sent with POST");
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, HEADERS);
    response.flushHeaders();
    if (prepared.type === "refused") finish(response, JSON.stringify({ errors: prepared.errors }));
    else if (prepared.type === "subscription") {
      const { selection } = prepared;
      follow(request, response, clients, deps, (sink) => deps.feed.subscribe(selection, sink, cursor));
    } else {
      const shown = (error: unknown) => JSON.stringify({ errors: [formatError(error, log)] });
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      finish(response, await prepared.run(gone.signal).catch(shown));
    }
  };
}

function follow(
  request: FastifyRequest,
  response: ServerResponse,
  clients: Clients,
  { authenticate, log }: TransportDeps,
  subscribe: (sink: Sink) => Subscriber,
): void {
  const sink: Sink = {
    congested: () => response.writableLength > CONGESTED_BYTES,
    write({ body, cursor }) {
      write(response, `event: next\nid: ${cursor}\ndata: ${body.toString()}\n\n`);
    },
    end: (_reason, error) => finish(response, JSON.stringify({ errors: [formatError(error, log)] })),
  };
  let subscriber: Subscriber;
  try {
    subscriber = subscribe(sink);
  } catch (error) {
    finish(response, JSON.stringify({ errors: [formatError(error, log)] }));
    return;
  }
  let stuckAt = -1;
  const client: Client = {
    keepAlive() {
      // There is no answer to wait for: gone is who took nothing since the last time although something waits.
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
    // Without "complete": to the client the stream broke off, and it comes back with its cursor.
    shutDown: () => end(response),
  };
  clients.add(client);
  response.on("drain", subscriber.flush);
  response.on("close", () => {
    subscriber.stop();
    clients.remove(client);
  });
}

/** Throws BAD_USER_INPUT. EventSource can only GET, and says where it was by a header. */
function read(request: FastifyRequest): Asked {
  const body = request.method === "GET" ? fromUrl(request.query) : request.body;
  const operation = readOperation(body);
  const resumed = request.headers["last-event-id"];
  if (typeof resumed === "string" && resumed !== "") return { operation, cursor: resumed };
  const { extensions } = body as { readonly extensions?: { readonly cursor?: unknown } | null };
  return { operation, cursor: extensions?.cursor };
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
