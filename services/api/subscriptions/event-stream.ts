// Operations over Server-Sent Events: the "distinct connections mode" of graphql-sse, one stream per operation. The id
// of an event is its cursor, so that a browser's EventSource resumes by itself.
import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { AppError, badInput, unavailable } from "../../../schemas/errors.ts";
import type { Selection } from "../feed/selection.ts";
import type { Sink, Subscriber } from "../feed/subscriber.ts";
import { formatError } from "../graphql/errors.ts";
import { toJson } from "../graphql/execute.ts";
import { cursorOf, minPositionOf, type Operation, readOperation } from "../graphql/operation.ts";
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
    // The client left while a large body was read: there is no "close" to come.
    if (reply.raw.destroyed) return;
    const stream = openStream(request, reply.raw, gone, deps);
    try {
      const outcome = await execute(operation, context);
      if (outcome.type === "answer") stream.answer(toJson(outcome, context.positions));
      else stream.follow(outcome.selection, cursorIn(request, operation));
    } catch (error) {
      stream.answer(refusal(error, log));
    }
  };
}

/** A client that does not announce the length of its body takes as much room as a whole socket may. */
function textBytes({ method, url, headers }: FastifyRequest, mostBytes: number): number {
  return method === "GET" ? Buffer.byteLength(url) : Number(headers["content-length"] ?? mostBytes);
}

const refusal = (error: unknown, log: TransportDeps["log"]): string =>
  JSON.stringify({ errors: [formatError(error, log)] });

/** A client from its first byte to its last, whether it asks for a query or a subscription. */
function openStream(request: FastifyRequest, response: ServerResponse, gone: AbortController, deps: TransportDeps) {
  const { authenticate, clients, config, feed, log, texts } = deps;
  let taken: number | undefined;
  let subscriber: Subscriber | undefined;
  let stopping = false;
  let stuckAt = -1;

  function answer(result: string): void {
    write(response, `event: next\ndata: ${result}\n\n`);
    write(response, COMPLETE);
    if (stopping) endSoon(response);
    else {
      response.end();
      // A client may read a large answer slowly. Node counts from the last bytes that the network took.
      response.setTimeout(config.API_SUBSCRIPTION_KEEP_ALIVE_MS, () => response.destroy());
    }
  }

  const sink: Sink = {
    congested: () => response.writableLength > CONGESTED_BYTES,
    write({ body, cursor }) {
      write(response, `event: next\nid: ${cursor}\ndata: ${body.toString()}\n\n`);
    },
    end(reason, error) {
      answer(refusal(error, log));
      if (reason === "slow") endSoon(response);
    },
  };

  const client: Client = {
    keepAlive() {
      if (response.writableEnded) return;
      // There is no answer to wait for: a client is gone if it took nothing since the last time although something waits.
      const waiting = response.writableLength;
      const isStuck = waiting > 0 && waiting === stuckAt;
      stuckAt = waiting;
      if (isStuck) response.destroy();
      else if (waiting === 0) write(response, KEEP_ALIVE);
    },
    checkToken() {
      const { headers } = request;
      if (!(authenticate({ id: headers[TOKEN_ID], value: headers[TOKEN_VALUE] }) instanceof AppError)) return;
      gone.abort();
      subscriber?.stop();
      endSoon(response);
    },
    shutDown() {
      stopping = true;
      // A subscription ends without "complete": to the client the stream broke off, and it comes back with its cursor.
      // What is being executed is answered first, as with POST.
      if (subscriber !== undefined || response.writableEnded) endSoon(response);
    },
  };
  clients.add(client);
  response.once("close", () => {
    gone.abort();
    subscriber?.stop();
    if (taken !== undefined) texts.giveBack(taken);
    clients.remove(client);
  });
  response.writeHead(200, HEADERS);
  response.flushHeaders();

  return {
    answer,
    /** Throws BAD_USER_INPUT for what is no cursor of this subscription, UNAVAILABLE if there is no room. */
    follow(selection: Selection, cursor: unknown): void {
      if (gone.signal.aborted) return;
      if (stopping) {
        endSoon(response);
        return;
      }
      const own = textBytes(request, config.API_SUBSCRIPTION_BYTES_PER_CONNECTION);
      texts.take(own);
      taken = own;
      subscriber = feed.subscribe(selection, sink, cursor);
      response.on("drain", subscriber.flush);
    },
  };
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

function endSoon(response: ServerResponse): void {
  response.end();
  setTimeout(() => response.destroy(), CLOSE_GRACE_MS).unref();
}
