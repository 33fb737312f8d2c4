// Subscribers over graphql-transport-ws that do as little as a client can: they count frames. Runs as a separate
// process.
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { KINDS, subscriptionOf } from "./subscriptions.ts";

export interface ClientsOptions {
  readonly port: number;
  /** Subscriptions of all connections together. */
  readonly count: number;
  readonly connections: number;
  readonly init: Readonly<Record<string, string>>;
}

/** `stall`: this many clients read no more. */
export type ClientsQuestion = ClientsOptions | "count" | { readonly stall: number };

/** The counts of all clients together. */
export interface Counted {
  readonly messages: number;
  /** Subscriptions that have had a message. */
  readonly reached: number;
  /** performance.timeOrigin + performance.now() of the newest message. */
  readonly lastAt: number;
  readonly failure: string | undefined;
}

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const NEXT = Buffer.from('"type":"next"');
const ID = /"id":"(\d+)"/;
const HEAD_END = Buffer.from("\r\n\r\n");

let messages = 0;
let reached = 0;
let lastAt = 0;
let failure: string | undefined;
const sockets: Socket[] = [];
const stalled = new Set<Socket>();

interface Asked {
  readonly port: number;
  readonly init: Readonly<Record<string, string>>;
  /** The kind of each subscription of the connection. */
  readonly kinds: readonly number[];
}

/** Resolves when the server has acknowledged the connection and the client has sent its requests. */
function subscribe({ port, init, kinds }: Asked): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  sockets.push(socket);
  let rest: Buffer = Buffer.alloc(0);
  let state: "upgrading" | "initialising" | "asked" | "receiving" = "upgrading";
  const awaited = new Set(kinds.map((_, i) => String(i)));

  function receive(opcode: number, body: Buffer): void {
    if (opcode === PING) send(socket, PONG, body);
    else if (opcode === CLOSE) failure ??= `closed: ${body.toString("utf8", 2)}`;
    else if (opcode !== TEXT) return;
    else if (state === "receiving") messages += 1;
    else if (state === "initialising") {
      state = "asked";
      for (const [i, kind] of kinds.entries()) {
        send(socket, TEXT, JSON.stringify({ id: String(i), type: "subscribe", payload: subscriptionOf(kind) }));
      }
      asked.resolve();
    } else if (body.includes(NEXT) && !body.includes('"errors"')) {
      messages += 1;
      if (awaited.delete(ID.exec(body.toString("latin1", 0, 32))?.[1] ?? "")) reached += 1;
      if (awaited.size === 0) state = "receiving";
    } else if (!body.includes('"type":"ping"')) failure ??= body.toString();
  }

  socket.on("connect", () => socket.write(upgradeRequest()));
  socket.on("error", (error) => {
    // The server cuts off a client that does not read.
    if (!stalled.has(socket)) failure ??= String(error);
    asked.reject(error);
  });
  socket.on("data", (chunk) => {
    lastAt = performance.timeOrigin + performance.now();
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (state === "upgrading") {
      const end = data.indexOf(HEAD_END);
      if (end < 0) {
        rest = data;
        return;
      }
      data = data.subarray(end + HEAD_END.length);
      state = "initialising";
      send(socket, TEXT, JSON.stringify({ type: "connection_init", payload: init }));
    }
    rest = frames(data, receive);
  });
  return asked.promise;
}

function upgradeRequest(): string {
  const lines = [
    "GET /graphql HTTP/1.1",
    "Host: 127.0.0.1",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Protocol: graphql-transport-ws",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Passes on every whole frame (servers send them unmasked and here in one piece); returns the rest. */
function frames(data: Buffer, take: (opcode: number, body: Buffer) => void): Buffer {
  let at = 0;
  for (;;) {
    const short = (data[at + 1] ?? 0) & 127;
    const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
    if (data.length < start) break;
    const length =
      short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2));
    if (data.length < start + length) break;
    take((data[at] ?? 0) & 15, data.subarray(start, start + length));
    at = start + length;
  }
  // A copy: the rest of a chunk would keep all of it.
  return Buffer.from(data.subarray(at));
}

/** Clients must mask; a mask of zeros leaves the body as it is. */
function send(socket: Socket, opcode: number, text: string | Buffer): void {
  const body = Buffer.from(text);
  const head = Buffer.alloc(body.length < 126 ? 6 : 8);
  head[0] = 128 | opcode;
  head[1] = 128 | Math.min(body.length, 126);
  if (body.length >= 126) head.writeUInt16BE(body.length, 2);
  socket.write(Buffer.concat([head, body]));
}

async function start({ count, connections, ...options }: ClientsOptions): Promise<void> {
  const kinds = Array.from({ length: connections }, (): number[] => []);
  for (let i = 0; i < count; i++) kinds[i % connections]?.push(i % KINDS);
  for (let first = 0; first < connections; first += 50) {
    await Promise.all(kinds.slice(first, first + 50).map((each) => subscribe({ ...options, kinds: each })));
  }
}

function stall(count: number): void {
  for (const socket of sockets.slice(0, count)) {
    stalled.add(socket);
    socket.pause();
  }
}

process.on("message", (asked: ClientsQuestion) => {
  const answer = () => process.send?.({ messages, reached, lastAt, failure } satisfies Counted);
  if (asked === "count") answer();
  else if ("stall" in asked) {
    stall(asked.stall);
    answer();
  } else {
    start(asked).then(answer, (error) => {
      failure ??= String(error);
      answer();
    });
  }
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
