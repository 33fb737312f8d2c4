// The parts that the two long-lived transports share: the number of clients, keep-alive and the end.

import type { Authenticate } from "../../../projections/catalog/tokens.ts";
import type { Log } from "../../common/log.ts";
import type { Feed } from "../feed/feed.ts";
import type { CreateContext } from "../graphql/create-context.ts";
import type { Execute } from "../graphql/execute.ts";
import type { BodyBudget } from "../http/intake.ts";
import type { TokenLimits } from "../limits/token-limits.ts";
import type { SubscriptionsConfig } from "./config.ts";
import type { TextBudget } from "./text-budget.ts";

export interface TransportDeps {
  readonly execute: Execute;
  readonly createContext: CreateContext;
  readonly feed: Feed;
  readonly authenticate: Authenticate;
  readonly clients: Clients;
  /** Returns the budget for the operations of one client; `caller` is called once its token is known. */
  readonly bodyBudgetOf: (caller: () => string) => BodyBudget;
  readonly texts: TextBudget;
  readonly tokenLimits: TokenLimits;
  readonly config: SubscriptionsConfig;
  readonly log: Log;
}

export interface SubscriptionClient {
  /** Closes the connection if the client did not react since the last call. */
  keepAlive(): void;
  /** Must be called when any token has changed. Ends all of the client's operations if its token is no longer valid. */
  checkToken(): void;
  /** Ends the connection so that the client connects to another instance. */
  shutDown(): void;
}

export interface Clients {
  hasCapacity(): boolean;
  /** Adds a client that has shown its token. */
  add(client: SubscriptionClient): void;
  /**
   * Adds a client without a token yet. Beyond API_SUBSCRIPTION_NEW_CONNECTIONS the oldest such client is dropped, so
   * that callers without a token cannot keep others out.
   */
  addNew(client: SubscriptionClient, drop: () => void): void;
  /**
   * Must be called when the client has shown its token.
   * @returns false when there are too many clients: this one must be closed.
   */
  admit(client: SubscriptionClient): boolean;
  remove(client: SubscriptionClient): void;
  checkTokens(): void;
  /** Resolves when all clients have gone. */
  shutDown(): Promise<void>;
}

export function createClients(config: SubscriptionsConfig): Clients {
  const clients = new Set<SubscriptionClient>();
  /** Clients without a token yet, in the order of arrival, each with the function that drops it. */
  const fresh = new Map<SubscriptionClient, () => void>();
  const gone = Promise.withResolvers<void>();
  let stopping = false;
  const timer = setInterval(() => {
    for (const client of all()) client.keepAlive();
  }, config.API_SUBSCRIPTION_KEEP_ALIVE_MS);
  // A server that was created but never started must not keep the process alive.
  timer.unref();
  const all = (): SubscriptionClient[] => [...clients, ...fresh.keys()];
  const hasCapacity = () => !stopping && clients.size < config.API_SUBSCRIPTION_CONNECTIONS;

  return {
    hasCapacity,
    add: (client) => {
      clients.add(client);
    },
    addNew(client, drop) {
      const [oldest] = fresh;
      if (oldest !== undefined && fresh.size >= config.API_SUBSCRIPTION_NEW_CONNECTIONS) {
        const [waited, dropWaited] = oldest;
        fresh.delete(waited);
        dropWaited();
      }
      fresh.set(client, drop);
    },
    admit(client) {
      fresh.delete(client);
      const isLetIn = hasCapacity();
      if (isLetIn) clients.add(client);
      return isLetIn;
    },
    remove(client) {
      clients.delete(client);
      fresh.delete(client);
      if (stopping && clients.size + fresh.size === 0) gone.resolve();
    },
    checkTokens() {
      for (const client of [...clients]) client.checkToken();
    },
    async shutDown() {
      stopping = true;
      clearInterval(timer);
      for (const client of all()) client.shutDown();
      if (clients.size + fresh.size > 0) await gone.promise;
    },
  };
}
