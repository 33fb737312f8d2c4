// The operations of one WebSocket: subscriptions begin at once, queries and mutations wait in a queue.
import type { GraphQLFormattedError } from "graphql";
import { badInput, unavailable } from "../../../schemas/errors.ts";
import type { Selection } from "../feed/selection.ts";
import type { Sink } from "../feed/subscriber.ts";
import type { Principal } from "../graphql/context.ts";
import { formatError } from "../graphql/errors.ts";
import { type Answer, toJson } from "../graphql/execute.ts";
import { cursorOf, minPositionOf, type Operation, readOperation } from "../graphql/operation.ts";
import { SMALL_LENGTH } from "../http/parse-json.ts";
import { createOperationQueue } from "./operation-queue.ts";
import type { TransportDeps } from "./transport.ts";
import { type ClientMessage, closeCodes, readMessage } from "./ws-messages.ts";
import { SLOW_CLOSE_GRACE_MS, textFrame, type Wire } from "./ws-wire.ts";

type Subscribe = Extract<ClientMessage, { readonly type: "subscribe" }>;

interface Running {
  flush(): void;
  stop(): void;
}

export interface WsOperations {
  subscribe(asked: Subscribe): void;
  complete(id: string): void;
  /** The connection calls it when the network takes more again. */
  flush(): void;
  endAll(): void;
}

export interface WsOperationsDeps extends TransportDeps {
  readonly wire: Wire;
  /** The owner of the token; undefined = the token is no longer valid, and the connection is being closed. */
  readonly principal: () => Principal | undefined;
  readonly close: (code: number, reason: string, graceMs?: number) => void;
}

const RETRY_AFTER_MS = 1_000;
const AFTER = Buffer.from("}");

export function createWsOperations(deps: WsOperationsDeps): WsOperations {
  const { wire, config, log, texts } = deps;
  /** All operations of the client that have not ended, by id. */
  const running = new Map<string, Running>();
  /** The bytes of each. */
  const subscriptions = new Map<string, number>();
  let bytes = 0;
  const queue = createOperationQueue({
    maxRunning: config.API_SUBSCRIPTION_OPERATIONS,
    maxWaiting: config.API_SUBSCRIPTION_OPERATIONS_WAITING,
    maxBytes: config.API_SUBSCRIPTION_OPERATIONS_BYTES,
    room: deps.room,
    congested: wire.congested,
  });

  function forget(id: string): void {
    running.delete(id);
    const own = subscriptions.get(id);
    if (own === undefined) return;
    subscriptions.delete(id);
    bytes -= own;
    texts.giveBack(own);
  }

  function refuse(id: string, errors: readonly GraphQLFormattedError[]): void {
    forget(id);
    wire.send({ id, type: "error", payload: errors });
  }

  const refuseFor = (id: string, error: unknown): void => refuse(id, [formatError(error, log)]);

  function enqueue({ id, payload, text }: Subscribe): void {
    let parsed: { readonly payload: unknown } | undefined = { payload };
    const started = start(id);
    const read = () => readOperation((parsed ?? parseAgain(text)).payload, text.length > SMALL_LENGTH);
    const own = Buffer.byteLength(text);
    const run = async () => {
      if (isWanted(id, started)) await perform({ id, bytes: own }, read, started);
    };
    const isTaken = queue.add(id, { bytes: own, run });
    // What has to wait does so as text: as values it may take ten times as much.
    parsed = undefined;
    if (!isTaken) refuseFor(id, unavailable("too many operations wait here", RETRY_AFTER_MS));
  }

  function start(id: string): Started {
    const gone = new AbortController();
    const started: Started = { gone: gone.signal, flush: () => undefined, stop: () => gone.abort() };
    running.set(id, started);
    return started;
  }

  /** The client may have completed the operation, and used its id again. */
  const isWanted = (id: string, started: Started): boolean => running.get(id) === started && wire.isOpen;

  /** Never rejects. */
  async function perform({ id, bytes: own }: Sized, read: () => Operation, started: Started): Promise<void> {
    const principal = deps.principal();
    if (principal === undefined) return;
    try {
      const operation = read();
      const context = deps.createContext(principal, minPositionOf(operation), () => started.gone);
      const outcome = await deps.execute(operation, context);
      if (!isWanted(id, started)) return;
      if (outcome.type === "subscription") follow({ id, bytes: own }, outcome.selection, cursorOf(operation));
      else answer(id, outcome, toJson(outcome, context.positions));
    } catch (error) {
      if (isWanted(id, started)) refuseFor(id, error);
    }
  }

  function answer(id: string, { executed, errors = [] }: Answer, json: string): void {
    if (!executed) {
      refuse(id, errors);
      return;
    }
    forget(id);
    wire.sendText(`{"id":${JSON.stringify(id)},"type":"next","payload":${json}}`);
    wire.send({ id, type: "complete" });
  }

  /** Throws BAD_USER_INPUT if the cursor is none of this subscription, or the connection has too many; UNAVAILABLE if all have. */
  function follow({ id, bytes: own }: Sized, selection: Selection, cursor: unknown): void {
    if (subscriptions.size >= config.API_SUBSCRIPTIONS_PER_CONNECTION) {
      throw badInput("this connection has too many subscriptions (API_SUBSCRIPTIONS_PER_CONNECTION)");
    }
    if (bytes + own > config.API_SUBSCRIPTION_BYTES_PER_CONNECTION) {
      throw badInput("the subscriptions of this connection are too long (API_SUBSCRIPTION_BYTES_PER_CONNECTION)");
    }
    texts.take(own);
    subscriptions.set(id, own);
    bytes += own;
    const before = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
    const sink: Sink = {
      congested: wire.congested,
      write: ({ body }) => wire.write(textFrame(before, body, AFTER)),
      end(reason, error) {
        refuseFor(id, error);
        if (reason === "slow" && wire.congested()) {
          deps.close(closeCodes.tooSlow, "Too slow: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
        }
      },
    };
    running.set(id, deps.feed.subscribe(selection, sink, cursor));
  }

  return {
    subscribe(asked) {
      const { id } = asked;
      if (running.has(id)) deps.close(closeCodes.subscriberExists, `Subscriber for ${shorten(id)} already exists`);
      else enqueue(asked);
    },
    complete(id) {
      running.get(id)?.stop();
      queue.remove(id);
      forget(id);
    },
    flush() {
      for (const { flush } of [...running.values()]) flush();
      queue.flush();
    },
    endAll() {
      for (const { stop } of [...running.values()]) stop();
      for (const id of [...running.keys()]) forget(id);
      queue.clear();
    },
  };
}

/** An operation, by the size of its message. */
interface Sized {
  readonly id: string;
  readonly bytes: number;
}

interface Started extends Running {
  readonly gone: AbortSignal;
}

/** Of a message that was read as a subscribe before. */
function parseAgain(text: string): Subscribe {
  const message = readMessage(text);
  if (message?.type !== "subscribe") throw new Error("a message was read in two ways");
  return message;
}

/** The reason of a close frame holds at most 123 bytes. */
const shorten = (id: string): string => Buffer.from(id).subarray(0, 64).toString();
