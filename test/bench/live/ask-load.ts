// Asks for paths in turn at a given rate, whether or not the ones before are answered (open loop).

import { type Connection, createConnection, questionOf } from "../../support/clients/raw-http.ts";
import { onLoad } from "../../support/running/load-process.ts";

export interface AskLoad {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Asked for in turn, again and again. */
  readonly paths: readonly string[];
  readonly requestsPerSecond: number;
  readonly seconds: number;
  /** Open before it begins. */
  readonly connections: number;
}

export interface AskResult {
  /** From the sending of each request until its whole answer is there, ms. */
  readonly answerMs: readonly number[];
  /** From the moment at which each request was due until it was sent, ms: so late was this process itself. */
  readonly lateMs: readonly number[];
  /** The first answer other than 200. */
  readonly failure: string | undefined;
}

const TICK_MS = 1;

async function run(load: AskLoad): Promise<AskResult> {
  const { port, headers, paths, requestsPerSecond, seconds, connections } = load;
  const requests = paths.map((path) => questionOf({ path, headers }));
  const idle = await Promise.all(Array.from({ length: connections }, () => createConnection(port)));
  const answerMs: number[] = [];
  const lateMs: number[] = [];
  let failure: string | undefined;
  let sent = 0;

  function ask(connection: Connection, dueAt: number): void {
    const sentAt = performance.now();
    lateMs.push(sentAt - dueAt);
    connection.send(requests[sent++ % requests.length] ?? Buffer.alloc(0), (answer) => {
      answerMs.push(performance.now() - sentAt);
      if (!answer.startsWith("HTTP/1.1 200")) failure ??= answer;
      idle.push(connection);
    });
  }

  const startedAt = performance.now();
  const count = requestsPerSecond * seconds;
  while (answerMs.length < count && failure === undefined) {
    const due = Math.min(count, ((performance.now() - startedAt) / 1_000) * requestsPerSecond);
    while (sent < due) {
      const connection = idle.pop();
      if (connection === undefined) break;
      ask(connection, startedAt + (sent / requestsPerSecond) * 1_000);
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const connection of idle) connection.close();
  return { answerMs, lateMs, failure };
}

onLoad(run);
