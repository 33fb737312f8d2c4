// One subscription on a separate WebSocket.
import { onTestFinished, vi } from "vitest";
import { connect, type RawClient } from "./raw-client.ts";

export const WAIT = { timeout: 30_000, interval: 20 };

interface Received<Data> {
  readonly data: Data;
  readonly errors?: readonly unknown[];
  readonly extensions: { readonly cursor: string };
}

export interface Subscription<Data> {
  readonly client: RawClient;
  received(): Received<Data>[];
  /** The payload of the message that ended it. */
  error(): readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[] | undefined;
  /** Waits until so many messages have arrived, and returns all. */
  atLeast(count: number): Promise<Received<Data>[]>;
}

export interface Asked {
  readonly url: string;
  readonly token: { readonly id: string; readonly value: string };
  readonly query: string;
  readonly variables?: object;
  readonly cursor?: string | undefined;
}

export const init = ({ id, value }: Asked["token"]) => ({
  type: "connection_init",
  payload: { "x-token-id": id, "x-token-value": value },
});

/** Resolves when the server has accepted the subscription: it has answered a later message. */
export async function follow<Data>({ url, token, query, variables = {}, cursor }: Asked): Promise<Subscription<Data>> {
  const client = await connect(url);
  onTestFinished(() => client.drop());
  const { messages } = client;
  client.send(init(token));
  await vi.waitUntil(() => messages.some(({ type }) => type === "connection_ack"), WAIT);
  const extensions = cursor === undefined ? {} : { extensions: { cursor } };
  client.send({ id: "1", type: "subscribe", payload: { query, variables, ...extensions } });
  client.send({ type: "ping" });
  await vi.waitUntil(() => messages.some(({ type }) => type === "pong"), WAIT);

  const received = () => messages.flatMap(({ type, payload }) => (type === "next" ? [payload as Received<Data>] : []));
  const error = () => messages.find(({ type }) => type === "error")?.payload;
  return {
    client,
    received,
    error,
    async atLeast(count) {
      await vi.waitFor(() => {
        if (error() !== undefined) throw new Error(`refused: ${JSON.stringify(error())}`);
        if (received().length < count) throw new Error(`${received().length} of ${count} messages`);
      }, WAIT);
      return received();
    },
  };
}
