// The operations of one WebSocket: subscriptions begin at once, queries and mutations wait in a queue.
import type { GraphQLFormattedError } from "graphql";
import { type AppError, badInput, unavailable } from "../../../schemas/errors.ts";
import type { Selection } from "../feed/selection.ts";
import type { Sink } from "../feed/subscriber.ts";
import type { Principal } from "../graphql/context.ts";
import { formatError } from "../graphql/errors.ts";
import { type ExecutedAnswer, toJson } from "../graphql/execute.ts";
import { cursorOf, minPositionOf, type Operation, readOperation } from "../graphql/operation.ts";
import { SMALL_LENGTH } from "../http/parse-json.ts";
import type { SubscriptionsConfig } from "./config.ts";
import { createOperationQueue, type OperationQueue } from "./operation-queue.ts";
import type { TextBudget } from "./text-budget.ts";
import type { TransportDeps } from "./transport.ts";
import { type ClientMessage, closeCodes, parseClientMessage } from "./ws-messages.ts";
import { SLOW_CLOSE_GRACE_MS, textFrame, type Wire } from "./ws-wire.ts";

type Subscribe = Extract<ClientMessage, { readonly type: "subscribe" }>;

interface Running {
  flush(): void;
  stop(): void;
}

export interface WsOperations {
  subscribe(asked: Subscribe): void;
  complete(id: string): void;
  /** Must be called when the network takes more again. */
  flush(): void;
  endAll(): void;
}

export interface WsOperationsDeps extends TransportDeps {
  readonly wire: Wire;
  /** Returns the id of the client's token, which never changes. */
  readonly tokenId: () => string;
  /** Owner of the token; undefined when the token is no longer valid, and the connection is being closed. */
  readonly principal: () => Principal | undefined;
  readonly close: (code: number, reason: string, graceMs?: number) => void;
}

const AFTER = Buffer.from("}");

export const createWsOperations = (deps: WsOperationsDeps): WsOperations => new ConnectionOperations(deps);

class ConnectionOperations implements WsOperations {
  readonly #deps: WsOperationsDeps;
  /** All operations of the client that have not ended, by id. */
  readonly #running = new Map<string, Running>();
  readonly #quota: SubscriptionQuota;
  readonly #queue: OperationQueue;

  constructor(deps: WsOperationsDeps) {
    const { config, bodyBudgetOf, texts, tokenId, wire } = deps;
    this.#deps = deps;
    this.#quota = createSubscriptionQuota(config, texts);
    this.#queue = createOperationQueue({
      maxRunning: config.API_SUBSCRIPTION_OPERATIONS,
      maxWaiting: config.API_SUBSCRIPTION_OPERATIONS_WAITING,
      maxBytes: config.API_SUBSCRIPTION_OPERATIONS_BYTES,
      bodyBudget: bodyBudgetOf(tokenId),
      congested: wire.congested,
    });
  }

  subscribe(asked: Subscribe): void {
    const { id } = asked;
    if (this.#running.has(id)) {
      this.#deps.close(closeCodes.subscriberExists, `Subscriber for ${shorten(id)} already exists`);
      return;
    }
    const bytes = Buffer.byteLength(asked.text);
    const refusal = this.#spend(bytes);
    if (refusal === undefined) this.#enqueue(asked, bytes);
    else this.#refuseFor(id, refusal);
  }

  complete(id: string): void {
    this.#running.get(id)?.stop();
    this.#queue.remove(id);
    this.#forget(id);
  }

  flush(): void {
    for (const { flush } of [...this.#running.values()]) flush();
    this.#queue.flush();
  }

  endAll(): void {
    for (const { stop } of [...this.#running.values()]) stop();
    for (const id of [...this.#running.keys()]) this.#forget(id);
    this.#queue.clear();
  }

  /** An operation counts like a request. A refusal ends this operation only. */
  #spend(bytes: number): AppError | undefined {
    const { tokenLimits, tokenId } = this.#deps;
    return tokenLimits.spend(tokenId(), "requests", 1) ?? tokenLimits.spend(tokenId(), "bytes", bytes);
  }

  #enqueue({ id, payload, text }: Subscribe, bytes: number): void {
    let parsed: { readonly payload: unknown } | undefined = { payload };
    const started = this.#start(id);
    const read = () => readOperation((parsed ?? parseAgain(text)).payload, text.length > SMALL_LENGTH);
    const run = async () => {
      if (this.#isWanted(id, started)) await this.#perform({ id, bytes }, read, started);
    };
    const isTaken = this.#queue.add(id, { bytes, run });
    // A waiting operation is kept as text: as values it may take ten times as much memory.
    parsed = undefined;
    if (!isTaken) this.#refuseFor(id, unavailable("too many operations wait here"));
  }

  #start(id: string): Started {
    const gone = new AbortController();
    const started: Started = { gone: gone.signal, flush: () => undefined, stop: () => gone.abort() };
    this.#running.set(id, started);
    return started;
  }

  /** @returns false when the client has completed the operation meanwhile, even if it has used the id again. */
  #isWanted(id: string, started: Started): boolean {
    return this.#running.get(id) === started && this.#deps.wire.isOpen;
  }

  /** Never rejects. */
  async #perform(sized: Sized, read: () => Operation, started: Started): Promise<void> {
    const { id } = sized;
    const principal = this.#deps.principal();
    if (principal === undefined) return;
    try {
      const operation = read();
      const context = this.#deps.createContext(principal, minPositionOf(operation), () => started.gone);
      const outcome = await this.#deps.execute(operation, context);
      if (!this.#isWanted(id, started)) return;
      if (outcome.type === "subscription") this.#follow(sized, outcome.selection, cursorOf(operation));
      else this.#answer(id, outcome, toJson(outcome, context.positions));
    } catch (error) {
      if (this.#isWanted(id, started)) this.#refuseFor(id, error);
    }
  }

  /**
   * Throws BAD_USER_INPUT if the cursor is not one of this subscription, or if the connection has too many
   * subscriptions. Throws UNAVAILABLE if all connections together have too many.
   */
  #follow({ id, bytes }: Sized, selection: Selection, cursor: unknown): void {
    const { wire, close, feed } = this.#deps;
    this.#quota.take({ id, bytes }, selection.tokenId);
    const before = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
    const sink: Sink = {
      congested: wire.congested,
      write: ({ body }) => wire.write(textFrame(before, body, AFTER)),
      end: (reason, error) => {
        this.#refuseFor(id, error);
        if (reason === "slow" && wire.congested()) {
          close(closeCodes.tooSlow, "Too slow: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
        }
      },
    };
    this.#running.set(id, feed.subscribe(selection, sink, cursor));
  }

  #answer(id: string, { executed, errors = [] }: ExecutedAnswer, json: string): void {
    if (!executed) {
      this.#refuse(id, errors);
      return;
    }
    this.#forget(id);
    this.#deps.wire.sendText(`{"id":${JSON.stringify(id)},"type":"next","payload":${json}}`);
    this.#deps.wire.send({ id, type: "complete" });
  }

  #refuseFor(id: string, error: unknown): void {
    this.#refuse(id, [formatError(error, this.#deps.log)]);
  }

  #refuse(id: string, errors: readonly GraphQLFormattedError[]): void {
    this.#forget(id);
    this.#deps.wire.send({ id, type: "error", payload: errors });
  }

  #forget(id: string): void {
    this.#running.delete(id);
    this.#quota.giveBack(id);
  }
}

/** Limits the number of subscriptions of one connection, and the bytes of their texts. */
interface SubscriptionQuota {
  /**
   * Throws BAD_USER_INPUT if this connection has too many subscriptions, UNAVAILABLE if all connections together have
   * too many.
   */
  take(sized: Sized, tokenId: string): void;
  giveBack(id: string): void;
}

function createSubscriptionQuota(config: SubscriptionsConfig, texts: TextBudget): SubscriptionQuota {
  const subscriptions = new Map<string, { readonly bytes: number; readonly giveBack: () => void }>();
  let bytes = 0;

  return {
    take({ id, bytes: own }, tokenId) {
      if (subscriptions.size >= config.API_SUBSCRIPTIONS_PER_CONNECTION) {
        throw badInput("this connection has too many subscriptions (API_SUBSCRIPTIONS_PER_CONNECTION)");
      }
      if (bytes + own > config.API_SUBSCRIPTION_BYTES_PER_CONNECTION) {
        throw badInput("the subscriptions of this connection are too long (API_SUBSCRIPTION_BYTES_PER_CONNECTION)");
      }
      subscriptions.set(id, { bytes: own, giveBack: texts.take(own, tokenId) });
      bytes += own;
    },
    giveBack(id) {
      const own = subscriptions.get(id);
      if (own === undefined) return;
      subscriptions.delete(id);
      bytes -= own.bytes;
      own.giveBack();
    },
  };
}

/** An operation, with the size of its message. */
interface Sized {
  readonly id: string;
  readonly bytes: number;
}

interface Started extends Running {
  readonly gone: AbortSignal;
}

/** Parses a message that was a valid subscribe before. */
function parseAgain(text: string): Subscribe {
  const message = parseClientMessage(text);
  if (message?.type !== "subscribe") throw new Error("a message was read in two ways");
  return message;
}

/** The reason of a close frame holds at most 123 bytes. */
const shorten = (id: string): string => Buffer.from(id).subarray(0, 64).toString();
