import { connect } from "node:net";
import { LOOPBACK } from "./free-port.ts";

const PROBE_TIMEOUT_MS = 2_000;

/** Sends the text to a port of this machine; resolves when the answer begins with `expected`, otherwise rejects. */
export function probeTcp(port: number, send: string, expected: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: LOOPBACK, port });
  let answer = "";
  socket.setTimeout(PROBE_TIMEOUT_MS, () => socket.destroy(new Error("no answer in time")));
  socket.once("connect", () => (send === "" ? resolve() : socket.write(send)));
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1");
    if (answer.startsWith(expected)) resolve();
  });
  socket.once("error", reject);
  socket.once("close", () => reject(new Error("closed without the expected answer")));
  return promise.finally(() => socket.destroy());
}

/** Resolves when the address answers with a success status. */
export async function probeHttp(url: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`status ${response.status}`);
}
