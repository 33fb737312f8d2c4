// Sends requests at a given rate, whether or not the ones before are answered (open loop), on the given connections.

import { type Connection, createConnection, requestOf } from "../clients/raw-http.ts";
import { onLoad } from "../running/load-process.ts";

export interface FloodLoad {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn, again and again. */
  readonly bodies: readonly string[];
  readonly requestsPerSecond: number;
  readonly durationMs: number;
  /** Open before it begins. When all are waiting for an answer, requests that are due wait, too. */
  readonly connections: number;
}

export interface FloodResult {
  readonly sent: number;
  /** Times of the accepted requests, from the time at which each was due: ms, ascending. */
  readonly acceptedMs: readonly number[];
  /** The bodies that were accepted at least once. */
  readonly acceptedBodies: readonly number[];
  /** The number of refusals with retryAfterMs. */
  readonly refused: number;
  /** The first answers that were neither, and their number. */
  readonly others: readonly string[];
  readonly otherCount: number;
}

const TICK_MS = 2;
const KEPT_OTHERS = 3;

async function run(load: FloodLoad): Promise<FloodResult> {
  const requests = load.bodies.map((body) => requestOf(load, body));
  const idle: Connection[] = [];
  const acceptedMs: number[] = [];
  const acceptedBodies = new Set<number>();
  const others: string[] = [];
  const due: number[] = [];
  let [sent, answered, refused, otherCount] = [0, 0, 0, 0];

  function check(dueAt: number, body: number, answer: string): void {
    answered += 1;
    if (/^HTTP\/1.1 200/.test(answer) && !answer.includes('"errors"')) {
      acceptedMs.push(performance.now() - dueAt);
      acceptedBodies.add(body);
    } else if (/"(UNAVAILABLE|TOO_MANY_REQUESTS)"/.test(answer) && answer.includes('"retryAfterMs"')) refused += 1;
    else if (otherCount++ < KEPT_OTHERS) others.push(answer.slice(0, 500));
  }

  function sendDue(): void {
    while (due.length > 0) {
      const connection = idle.pop();
      if (connection === undefined) return;
      const dueAt = due.shift() ?? 0;
      const body = sent++ % requests.length;
      connection.send(requests[body] ?? Buffer.alloc(0), (answer) => {
        check(dueAt, body, answer);
        if (connection.usable()) idle.push(connection);
        sendDue();
      });
    }
  }

  idle.push(...(await Promise.all(Array.from({ length: load.connections }, () => createConnection(load.port)))));
  const startedAt = performance.now();
  let planned = 0;
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    const wanted = Math.floor((Math.min(elapsedMs, load.durationMs) / 1_000) * load.requestsPerSecond);
    for (; planned < wanted; planned++) due.push(startedAt + (planned / load.requestsPerSecond) * 1_000);
    sendDue();
    // A request that found no connection until the end is not sent any more.
    if (elapsedMs >= load.durationMs) due.length = 0;
    if (elapsedMs >= load.durationMs && answered === sent) break;
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const connection of idle) connection.close();
  acceptedMs.sort((a, b) => a - b);
  return { sent, acceptedMs, acceptedBodies: [...acceptedBodies], refused, others, otherCount };
}

onLoad(run);
