// The operations of one WebSocket: subscriptions begin at once, queries and mutations wait in a queue.
import type { GraphQLFormattedError } from "graphql";
import { type AppError, badInput, unavailable } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Selection } from "../feed/selection.ts";
import type { Principal } from "../graphql/context.ts";
import { formatError } from "../graphql/errors.ts";
import { type ExecutedAnswer, toJson } from "../graphql/execute.ts";
import { cursorOf, minPositionOf, type Operation, readOperation } from "../graphql/operation.ts";
import { SMALL_LENGTH } from "../http/parse-json.ts";
import { createOperationQueue, type OperationQueue } from "./operation-queue.ts";
import type { TransportDeps } from "./transport.ts";
import { type ClientMessage, closeCodes, parseClientMessage } from "./ws-messages.ts";
import { FollowingSubscription } from "./ws-subscription.ts";
import type { Wire } from "./ws-wire.ts";

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

/** The connection of the operations. */
export interface WsPeer {
  readonly wire: Wire;
  /** Never changes once the client has sent its token. */
  readonly tokenId: string;
  /** A log whose lines name the client. */
  readonly log: Log;
  /** @returns undefined when the token is no longer valid, and the connection is being closed. */
  principal(): Principal | undefined;
  close(code: number, reason: string, graceMs?: number): void;
}

export const createWsOperations = (deps: TransportDeps, peer: WsPeer): WsOperations =>
  new ConnectionOperations(deps, peer);

class ConnectionOperations implements WsOperations {
  readonly #deps: TransportDeps;
  readonly #peer: WsPeer;
  /** All operations of the client that have not ended, by id. */
  readonly #running = new Map<string, Running>();
  /** Undefined while no operation runs or waits; subscriptions that have begun do not count. */
  #queue: OperationQueue | undefined;
  #subscriptions = 0;
  /** Size of the texts of the subscriptions. */
  #bytes = 0;

  constructor(deps: TransportDeps, peer: WsPeer) {
    this.#deps = deps;
    this.#peer = peer;
  }

  subscribe(asked: Subscribe): void {
    const { id } = asked;
    if (this.#running.has(id)) {
      this.#peer.close(closeCodes.subscriberExists, `Subscriber for ${shorten(id)} already exists`);
      return;
    }
    const bytes = Buffer.byteLength(asked.text);
    const refusal = this.#spend(bytes);
    if (refusal === undefined) this.#enqueue(asked, bytes);
    else this.refuseFor(id, refusal);
  }

  complete(id: string): void {
    this.#running.get(id)?.stop();
    this.#queue?.remove(id);
    this.#forget(id);
  }

  flush(): void {
    for (const each of [...this.#running.values()]) each.flush();
    this.#queue?.flush();
  }

  endAll(): void {
    for (const each of [...this.#running.values()]) each.stop();
    for (const id of [...this.#running.keys()]) this.#forget(id);
    this.#queue?.clear();
  }

  /** An operation counts like a request. A refusal ends this operation only. */
  #spend(bytes: number): AppError | undefined {
    const { tokenLimits } = this.#deps;
    const { tokenId } = this.#peer;
    return tokenLimits.spend(tokenId, "requests", 1) ?? tokenLimits.spend(tokenId, "bytes", bytes);
  }

  #enqueue({ id, payload, text }: Subscribe, bytes: number): void {
    let parsed: { readonly payload: unknown } | undefined = { payload };
    const started = this.#start(id);
    const read = () => readOperation((parsed ?? parseAgain(text)).payload, text.length > SMALL_LENGTH);
    const run = async () => {
      if (this.#isWanted(id, started)) await this.#perform({ id, bytes }, read, started);
    };
    this.#queue ??= this.#createQueue();
    const isTaken = this.#queue.add(id, { bytes, run });
    // A waiting operation is kept as text: as values it may take ten times as much memory.
    parsed = undefined;
    if (!isTaken) this.refuseFor(id, unavailable("too many operations wait here"));
  }

  #createQueue(): OperationQueue {
    const { config, bodyBudgetOf } = this.#deps;
    const { wire } = this.#peer;
    return createOperationQueue({
      maxRunning: config.API_SUBSCRIPTION_OPERATIONS,
      maxWaiting: config.API_SUBSCRIPTION_OPERATIONS_WAITING,
      maxBytes: config.API_SUBSCRIPTION_OPERATIONS_BYTES,
      bodyBudget: bodyBudgetOf(() => this.#peer.tokenId),
      congested: () => wire.congested(),
      onIdle: () => {
        this.#queue = undefined;
      },
    });
  }

  #start(id: string): Started {
    const gone = new AbortController();
    const started: Started = { gone: gone.signal, flush: () => undefined, stop: () => gone.abort() };
    this.#running.set(id, started);
    return started;
  }

  /** @returns false when the client has completed the operation meanwhile, even if it has used the id again. */
  #isWanted(id: string, started: Started): boolean {
    return this.#running.get(id) === started && this.#peer.wire.isOpen;
  }

  /** Never rejects. */
  async #perform(sized: Sized, read: () => Operation, started: Started): Promise<void> {
    const { id } = sized;
    const principal = this.#peer.principal();
    if (principal === undefined) return;
    try {
      const operation = read();
      const context = this.#deps.createContext(principal, minPositionOf(operation), () => started.gone);
      const outcome = await this.#deps.execute(operation, context);
      if (!this.#isWanted(id, started)) return;
      if (outcome.type === "subscription") this.#follow(sized, outcome.selection, cursorOf(operation));
      else this.#answer(id, outcome, toJson(outcome, context.positions));
    } catch (error) {
      if (this.#isWanted(id, started)) this.refuseFor(id, error);
    }
  }

  /**
   * Throws BAD_USER_INPUT if the cursor is not one of this subscription, or if the connection has too many
   * subscriptions. Throws UNAVAILABLE if all connections together have too many.
   */
  #follow({ id, bytes }: Sized, selection: Selection, cursor: unknown): void {
    const { tokenId } = selection;
    this.#take(bytes, tokenId);
    const following = new FollowingSubscription(this, this.#peer, { id, bytes, tokenId });
    try {
      following.subscriber = this.#deps.feed.subscribe(selection, following, cursor);
    } catch (error) {
      this.#giveBack(following);
      throw error;
    }
    this.#running.set(id, following);
  }

  /** Throws as `#follow` does; nothing was taken then. */
  #take(bytes: number, tokenId: string): void {
    const { config, texts } = this.#deps;
    if (this.#subscriptions >= config.API_SUBSCRIPTIONS_PER_CONNECTION) {
      throw badInput("this connection has too many subscriptions (API_SUBSCRIPTIONS_PER_CONNECTION)");
    }
    if (this.#bytes + bytes > config.API_SUBSCRIPTION_BYTES_PER_CONNECTION) {
      throw badInput("the subscriptions of this connection are too long (API_SUBSCRIPTION_BYTES_PER_CONNECTION)");
    }
    texts.take(bytes, tokenId);
    this.#subscriptions += 1;
    this.#bytes += bytes;
  }

  #giveBack({ sized: { bytes, tokenId } }: FollowingSubscription): void {
    this.#subscriptions -= 1;
    this.#bytes -= bytes;
    this.#deps.texts.giveBack(bytes, tokenId);
  }

  #answer(id: string, { executed, errors = [] }: ExecutedAnswer, json: string): void {
    if (!executed) {
      this.#refuse(id, errors);
      return;
    }
    this.#forget(id);
    this.#peer.wire.sendText(`{"id":${JSON.stringify(id)},"type":"next","payload":${json}}`);
    this.#peer.wire.send({ id, type: "complete" });
  }

  /** Ends the operation with the error. */
  refuseFor(id: string, error: unknown): void {
    this.#refuse(id, [formatError(error, this.#peer.log)]);
  }

  #refuse(id: string, errors: readonly GraphQLFormattedError[]): void {
    this.#forget(id);
    this.#peer.wire.send({ id, type: "error", payload: errors });
  }

  #forget(id: string): void {
    const ended = this.#running.get(id);
    this.#running.delete(id);
    if (ended instanceof FollowingSubscription) this.#giveBack(ended);
  }
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
