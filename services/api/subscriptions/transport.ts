// What the two long-lived transports need and share: the number of clients, keep-alive and the end.

import type { Authenticate } from "../../../projections/catalog/tokens.ts";
import type { Log } from "../../common/log.ts";
import type { Feed } from "../feed/feed.ts";
import type { CreateContext } from "../graphql/create-context.ts";
import type { Execute } from "../graphql/execute.ts";
import type { Room } from "../http/intake.ts";
import type { SubscriptionsConfig } from "./config.ts";
import type { TextBudget } from "./text-budget.ts";

export interface TransportDeps {
  readonly execute: Execute;
  readonly createContext: CreateContext;
  readonly feed: Feed;
  readonly authenticate: Authenticate;
  readonly clients: Clients;
  readonly room: Room;
  readonly texts: TextBudget;
  readonly config: SubscriptionsConfig;
  readonly log: Log;
}

export interface Client {
  /** Closes the connection if the client did not react since the last call. */
  keepAlive(): void;
  /** Some token has changed: ends everything at once if this client's token is no longer valid. */
  checkToken(): void;
  /** Ends the connection so that the client connects to another instance. */
  shutDown(): void;
}

export interface Clients {
  hasRoom(): boolean;
  /** Takes one that has shown its token. */
  add(client: Client): void;
  /** Takes one that has not. Of too many, the oldest is dropped: callers without a token cannot keep others out. */
  addNew(client: Client, drop: () => void): void;
  /** The client has shown its token now. False: there is no room, and it must be closed. */
  admit(client: Client): boolean;
  remove(client: Client): void;
  checkTokens(): void;
  /** Resolves when all have gone. */
  shutDown(): Promise<void>;
}

export function createClients(config: SubscriptionsConfig): Clients {
  const clients = new Set<Client>();
  /** How each is dropped, in the order in which they came. */
  const fresh = new Map<Client, () => void>();
  const gone = Promise.withResolvers<void>();
  let stopping = false;
  const timer = setInterval(() => {
    for (const client of all()) client.keepAlive();
  }, config.API_SUBSCRIPTION_KEEP_ALIVE_MS);
  // A server that was created but never started must not keep the process alive.
  timer.unref();
  const all = (): Client[] => [...clients, ...fresh.keys()];
  const hasRoom = () => !stopping && clients.size < config.API_SUBSCRIPTION_CONNECTIONS;

  return {
    hasRoom,
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
      const isLetIn = hasRoom();
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
