// Receivers of webhooks on real sockets, each with a fault of its own.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly id: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The status of the answer, undefined when the receiver gave none. */
  readonly status: number | undefined;
}

/** Answers a request, or does not; returns the status. `nth`: how many requests came before. */
export type Behaviour = (
  response: ServerResponse,
  nth: number,
  received: Omit<Received, "status">,
) => number | undefined;

export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end();
    return status;
  };

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Returns the requests that the receiver answered with 200. */
  delivered(): readonly Received[];
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

type Listen = (listener: RequestListener) => Server;

export async function startReceiver(
  behaviour: Behaviour = answering(200),
  listen: Listen = createServer,
  scheme = "http",
): Promise<Receiver> {
  const received: Received[] = [];
  let behave = behaviour;
  const server = listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const seen = { id: String(request.headers["webhook-id"]), headers: request.headers, text, at: Date.now() };
      const status = behave(response, received.length, seen);
      received.push({ ...seen, status });
    });
    request.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}/hook`,
    received,
    delivered: () => received.filter(({ status }) => status === 200),
    behave: (next) => {
      behave = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
