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
import type { SubscriptionClient, TransportDeps } from "./transport.ts";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // A connection that outlives its stream would delay the stop of the server.
  connection: "close",
  // Without this header, nginx would buffer events before it passes them on.
  "x-accel-buffering": "no",
};
const CONGESTED_BYTES = 256 * 1024;
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
    if (!clients.hasCapacity()) throw unavailable("too many clients here");
    reply.hijack();
    // The client left while a large body was read: no "close" event will follow.
    if (reply.raw.destroyed) return;
    const stream = new EventStream(request, reply.raw, gone, deps);
    try {
      const outcome = await execute(operation, context);
      if (outcome.type === "answer") stream.answer(toJson(outcome, context.positions));
      else stream.follow(outcome.selection, cursorIn(request, operation));
    } catch (error) {
      stream.answer(refusal(error, log));
    }
  };
}

/** Returns the bytes of the client's text. A body of unannounced length counts as the maximum of a whole connection. */
function textBytes({ method, url, headers }: FastifyRequest, mostBytes: number): number {
  return method === "GET" ? Buffer.byteLength(url) : Number(headers["content-length"] ?? mostBytes);
}

const refusal = (error: unknown, log: TransportDeps["log"]): string =>
  JSON.stringify({ errors: [formatError(error, log)] });

/** Serves a client from its first byte to its last, whether it requests a query or a subscription. */
class EventStream implements SubscriptionClient {
  readonly #request: FastifyRequest;
  readonly #response: ServerResponse;
  readonly #gone: AbortController;
  readonly #deps: TransportDeps;
  #giveBack: (() => void) | undefined;
  #subscriber: Subscriber | undefined;
  #isStopping = false;
  /** Bytes that waited at the last check. */
  #stuckAt = -1;

  constructor(request: FastifyRequest, response: ServerResponse, gone: AbortController, deps: TransportDeps) {
    this.#request = request;
    this.#response = response;
    this.#gone = gone;
    this.#deps = deps;
    deps.clients.add(this);
    response.once("close", () => this.#end());
    response.writeHead(200, HEADERS);
    response.flushHeaders();
  }

  answer(result: string): void {
    const response = this.#response;
    write(response, `event: next\ndata: ${result}\n\n`);
    write(response, COMPLETE);
    if (this.#isStopping) endSoon(response);
    else {
      response.end();
      // A client may read a large answer slowly, so the time counts from the last bytes that the network took.
      response.setTimeout(this.#deps.config.API_SUBSCRIPTION_KEEP_ALIVE_MS, () => response.destroy());
    }
  }

  /**
   * Throws BAD_USER_INPUT when the text is no cursor of this subscription, and UNAVAILABLE when the text budget is used
   * up.
   */
  follow(selection: Selection, cursor: unknown): void {
    if (this.#gone.signal.aborted) return;
    if (this.#isStopping) {
      endSoon(this.#response);
      return;
    }
    const { config, feed, texts } = this.#deps;
    const own = textBytes(this.#request, config.API_SUBSCRIPTION_BYTES_PER_CONNECTION);
    const { tokenId } = selection;
    texts.take(own, tokenId);
    this.#giveBack = () => texts.giveBack(own, tokenId);
    const subscriber = feed.subscribe(selection, this.#sink(), cursor);
    this.#subscriber = subscriber;
    this.#response.on("drain", () => subscriber.flush());
  }

  keepAlive(): void {
    const response = this.#response;
    if (response.writableEnded) return;
    // Event streams have no answer to a ping: a client counts as gone if it took nothing since the last check
    // although data waits.
    const waiting = response.writableLength;
    const isStuck = waiting > 0 && waiting === this.#stuckAt;
    this.#stuckAt = waiting;
    if (isStuck) response.destroy();
    else if (waiting === 0) write(response, KEEP_ALIVE);
  }

  checkToken(): void {
    const { headers } = this.#request;
    const credentials = { id: headers[TOKEN_ID], value: headers[TOKEN_VALUE] };
    if (!(this.#deps.authenticate(credentials) instanceof AppError)) return;
    this.#gone.abort();
    this.#subscriber?.stop();
    endSoon(this.#response);
  }

  shutDown(): void {
    this.#isStopping = true;
    // A subscription ends without "complete", so that the client treats the stream as broken off and returns with its
    // cursor. Running operations are answered first, as with POST.
    if (this.#subscriber !== undefined || this.#response.writableEnded) endSoon(this.#response);
  }

  #sink(): Sink {
    const response = this.#response;
    return {
      congested: () => response.writableLength > CONGESTED_BYTES,
      write({ body, cursor }) {
        write(response, `event: next\nid: ${cursor}\ndata: ${body.toString()}\n\n`);
      },
      end: (reason, error) => {
        this.answer(refusal(error, this.#deps.log));
        if (reason === "slow") endSoon(response);
      },
    };
  }

  #end(): void {
    this.#gone.abort();
    this.#subscriber?.stop();
    this.#giveBack?.();
    this.#deps.clients.remove(this);
  }
}

/**
 * Throws BAD_USER_INPUT for a request that is no operation. EventSource can only use GET, which must change nothing.
 */
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
