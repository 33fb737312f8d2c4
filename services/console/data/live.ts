// Subscriptions over one WebSocket. When the connection was lost, each resumes after the last message that it got.

import { type Client, createClient } from "graphql-ws";
import { serverNow } from "./clock.ts";
import { type ApiError, errorOf, type GraphqlError, isTemporary, shownError } from "./errors.ts";
import { LinesSocket } from "./lines-socket.ts";
import type { Requests } from "./requests.ts";
import { headersOf, type Token } from "./session.ts";

export type Scope = "read" | "write" | "admin";

/** The state of the connection, as far as the page knows it. */
export type Connection =
  /** `since` is a time of `performance.now()`. */
  | { readonly state: "connecting"; readonly since: number }
  | { readonly state: "connected"; readonly scopes: readonly Scope[] }
  /** `since` is in milliseconds since the epoch, by the server's clock. */
  | { readonly state: "lost"; readonly since: number }
  /** The token is wrong, or was revoked. */
  | { readonly state: "refused" };

export interface Live {
  readonly connection: Connection;
  /**
   * Follows a subscription until the returned function is called. After a lost connection it goes on with the next
   * message: none is missing, and none comes twice.
   * @param onError gets a refusal, after which no message comes.
   */
  follow<Data>(
    document: string,
    variables: object,
    onData: (data: Data) => void,
    onError?: (error: ApiError) => void,
  ): () => void;
  stop(): void;
}

/** The part of the app that brings scenes: questions, and what is new. */
export type LiveSource = Pick<Requests, "ask"> & { readonly live: Pick<Live, "follow"> };

interface Message<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly cursor?: string };
}

/** Close codes of a server that will never accept this token. */
const REFUSED: ReadonlySet<number> = new Set([4401, 4403]);
/** The server ends a subscription whose messages wait too long; it may go on after this time. */
const RESUME_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;

/** @param onConnection is called after each change of `connection`. */
export function createLive(token: Token, onConnection: () => void): Live {
  let connection: Connection = { state: "connecting", since: performance.now() };
  const change = (next: Connection) => {
    connection = next;
    onConnection();
  };
  const connect = () =>
    createClient({
      url: `${location.origin.replace(/^http/, "ws")}/graphql`,
      webSocketImpl: LinesSocket,
      connectionParams: { ...headersOf(token) },
      lazy: false,
      keepAlive: 10_000,
      retryAttempts: Number.POSITIVE_INFINITY,
      retryWait: (retries) => delay(Math.min(250 * 2 ** retries, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2)),
      shouldRetry: () => connection.state !== "refused",
      // The client gives up after some close codes, such as that of a fault of the server, which may pass.
      onNonLazyError: () => {
        if (connection.state === "refused" || isStopped) return;
        setTimeout(() => {
          client = connect();
        }, LONGEST_WAIT_MS);
      },
      on: {
        connected: (_socket, payload) => {
          const scopes = (payload?.["scopes"] ?? []) as readonly Scope[];
          change({ state: "connected", scopes });
        },
        closed: (event) => {
          if (REFUSED.has((event as CloseEvent).code)) change({ state: "refused" });
          else if (connection.state !== "lost") change({ state: "lost", since: serverNow() });
        },
      },
    });

  let isStopped = false;
  let client = connect();
  return {
    get connection() {
      return connection;
    },
    follow: (document, variables, onData, onError = () => {}) =>
      followWith(() => client, { query: document, variables: { ...variables } }, onData, onError),
    // A connection that was just refused cannot be closed again, and nobody has to know.
    stop: () => {
      isStopped = true;
      void Promise.resolve(client.dispose()).catch(() => {});
    },
  };
}

interface Payload {
  query: string;
  variables: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}

function followWith<Data>(
  client: () => Client,
  payload: Payload,
  onData: (data: Data) => void,
  onError: (error: ApiError) => void,
): () => void {
  let end = () => {};
  let isOver = false;

  function begin(): void {
    if (isOver) return;
    end = client().subscribe<Data>(payload, {
      next: (message) => {
        const { data, errors, extensions } = message as Message<Data>;
        // The client sends this payload again whenever it connects again.
        if (extensions?.cursor !== undefined) payload.extensions = { cursor: extensions.cursor };
        if (data != null) onData(data);
        else if (errors?.[0]) onError(errorOf(errors[0]));
      },
      error: (reason) => {
        const error = Array.isArray(reason) ? errorOf(reason[0] as GraphqlError) : shownError(reason);
        if (isTemporary(error)) setTimeout(begin, error.retryAfterMs ?? RESUME_MS);
        else onError(error);
      },
      complete: () => {},
    });
  }

  begin();
  return () => {
    isOver = true;
    end();
  };
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
