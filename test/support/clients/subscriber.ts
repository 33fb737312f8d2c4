// A GraphQL subscription over a plain WebSocket (sub-protocol graphql-transport-ws).
import { WebSocket } from "ws";
import { z } from "zod";

export interface SubscribeOptions {
  /** The URL of queries: the client replaces http by ws. */
  readonly url: string;
  readonly token: { readonly id: string; readonly value: string };
  readonly query: string;
  readonly variables?: object;
  /** The cursor of the last known message; left out: from now on. */
  readonly cursor?: string | undefined;
}

export interface Received<Data> {
  readonly data: Data;
  readonly cursor: string;
}

export interface Subscription<Data> {
  /** In the order of arrival; grows. */
  readonly received: readonly Received<Data>[];
  /** The reason why it is over, if it is: the server's error, its "complete", or the close code. */
  over(): string | undefined;
  /** Hangs up without a close frame, as a lost connection does. The client receives nothing afterwards. */
  drop(): void;
}

const envelope = z.object({ id: z.string().optional(), type: z.string(), payload: z.unknown().optional() });
const nextPayload = z.object({
  data: z.unknown().optional(),
  errors: z.unknown().optional(),
  extensions: z.object({ cursor: z.string() }),
});

const ID = "1";

/** Resolves when the client has sent its request; the server does not announce when it begins to deliver. */
export async function subscribe<Data>(options: SubscribeOptions): Promise<Subscription<Data>> {
  const { url, token, query, variables = {}, cursor } = options;
  const socket = new WebSocket(url.replace(/^http/, "ws"), "graphql-transport-ws");
  const received: Received<Data>[] = [];
  const asked = Promise.withResolvers<void>();
  let over: string | undefined;
  const end = (reason: string) => {
    over ??= reason;
    asked.reject(new Error(`the subscription ended: ${reason}`));
  };
  const send = (message: object) => socket.send(JSON.stringify(message));

  socket.on("open", () => {
    send({ type: "connection_init", payload: { "x-token-id": token.id, "x-token-value": token.value } });
  });
  socket.on("message", (raw: Buffer) => {
    const { type, payload } = envelope.parse(JSON.parse(raw.toString()));
    switch (type) {
      case "connection_ack": {
        const extensions = cursor === undefined ? {} : { extensions: { cursor } };
        send({ id: ID, type: "subscribe", payload: { query, variables, ...extensions } });
        asked.resolve();
        break;
      }
      case "ping":
        send({ type: "pong" });
        break;
      case "next": {
        if (over !== undefined) break;
        const { data, errors, extensions } = nextPayload.parse(payload);
        if (errors === undefined) received.push({ data: data as Data, cursor: extensions.cursor });
        else end(JSON.stringify(errors));
        break;
      }
      case "error":
      case "complete":
        end(`${type} ${JSON.stringify(payload)}`);
        break;
      default:
    }
  });
  socket.on("close", (code, reason) => end(`closed with ${code} ${reason}`));
  socket.on("error", (error) => end(error.message));
  await asked.promise;
  return {
    received,
    over: () => over,
    drop() {
      over ??= "dropped";
      socket.terminate();
    },
  };
}
