// HTTP on raw sockets, for load generators that must use little of the processor that the server needs too.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

interface Target {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const HEAD_END = Buffer.from("\r\n\r\n");

/** A POST as it goes over the wire. */
export function requestOf({ path, headers }: Target, body: string): Buffer {
  const head = headOf(`POST ${path}`, { "content-type": "application/json", ...headers });
  return Buffer.from(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** A GET as it goes over the wire. */
export const questionOf = ({ path, headers }: Target): Buffer =>
  Buffer.from(`${headOf(`GET ${path}`, headers)}\r\n\r\n`);

function headOf(question: string, headers: Target["headers"]): string {
  const lines = Object.entries({ host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${question} HTTP/1.1`, ...lines].join("\r\n");
}

export interface Connection {
  usable(): boolean;
  close(): void;
  send(request: Buffer, onAnswer: (text: string) => void): void;
}

/** One request at a time; for a lost connection the answer is the reason. */
export async function createConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let received: Buffer[] = [];
  let length = 0;
  let expected: number | undefined;
  let answer: ((text: string) => void) | undefined;
  let usable = true;

  function finish(text: string): void {
    const report = answer;
    answer = undefined;
    received = [];
    length = 0;
    expected = undefined;
    report?.(text);
  }

  socket.on("data", (chunk) => {
    received.push(chunk);
    length += chunk.length;
    expected ??= totalLength(Buffer.concat(received));
    if (expected === undefined || length < expected) return;
    const text = Buffer.concat(received).toString("utf8");
    if (/\r\nconnection: close\r\n/i.test(text)) usable = false;
    finish(text);
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    usable = false;
    finish("the connection was closed without an answer");
  });
  return {
    usable: () => usable,
    close: () => socket.destroy(),
    send(request: Buffer, onAnswer: (text: string) => void) {
      answer = onAnswer;
      socket.write(request);
    },
  };
}

function totalLength(received: Buffer): number | undefined {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  return end + HEAD_END.length + Number(/content-length: (\d+)/i.exec(received.toString("latin1", 0, end))?.[1] ?? 0);
}
