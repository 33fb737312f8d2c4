// A client of graphql-transport-ws that hides nothing: it shows every message as received and the close code, and can
// stop reading.
import { once } from "node:events";
import { WebSocket } from "ws";

interface ServerMessage {
  readonly type: string;
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the members of a message that it reads.
  readonly payload?: any;
}

export interface RawClient {
  readonly messages: readonly ServerMessage[];
  /** The frames as received. With a subprotocol of lines, each may have several messages. */
  readonly frames: readonly string[];
  /** The number of pings from the server. */
  pings(): number;
  /** Resolves when the server, or the network, has closed it. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(message: unknown): void;
  sendText(text: string): void;
  pause(): void;
  resume(): void;
  /** Hangs up without a close frame. */
  drop(): void;
}

export async function connect(url: string, protocol: string = "graphql-transport-ws"): Promise<RawClient> {
  const ws = new WebSocket(url.replace(/^http/, "ws"), protocol === "" ? [] : protocol);
  const messages: ServerMessage[] = [];
  const frames: string[] = [];
  const closed = Promise.withResolvers<{ readonly code: number; readonly reason: string }>();
  ws.on("message", (data: Buffer) => {
    frames.push(data.toString());
    for (const line of data.toString().split("\n")) messages.push(JSON.parse(line));
  });
  let pings = 0;
  ws.on("ping", () => {
    pings += 1;
  });
  ws.on("close", (code, reason) => closed.resolve({ code, reason: reason.toString() }));
  ws.on("error", () => undefined);
  await once(ws, "open");
  return {
    messages,
    frames,
    pings: () => pings,
    closed: closed.promise,
    send: (message) => ws.send(JSON.stringify(message)),
    sendText: (text) => ws.send(text),
    pause: () => ws.pause(),
    resume: () => ws.resume(),
    drop: () => ws.terminate(),
  };
}
