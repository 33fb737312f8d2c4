// One side of the comparison: subscribers in a process of their own, and rounds of detections for them.
import type { ChildProcess } from "node:child_process";
import { until } from "../../support/running/processes.ts";
import { askHelper, startHelper } from "../processes.ts";
import type { ClientsOptions, ClientsQuestion, Counted } from "./clients.ts";
import type { Send } from "./detections.ts";
import { KINDS } from "./subscriptions.ts";

export interface Clients {
  ask(question: ClientsQuestion): Promise<Counted>;
  stop(): void;
}

export async function startClients(options: ClientsOptions): Promise<Clients> {
  const [child] = await startHelper<"ready">("./fan-out/clients.ts", []);
  const clients: Clients = { ask: (question) => askClients(child, question), stop: () => child.disconnect() };
  await clients.ask(options);
  return clients;
}

async function askClients(child: ChildProcess, question: ClientsQuestion): Promise<Counted> {
  const counted = await askHelper<Counted>(child, question);
  if (counted.failure !== undefined) throw new Error(counted.failure);
  return counted;
}

/** The baseline takes minutes for a round where other work has the processors. */
const ROUND_TIMEOUT_MS = 600_000;

let made = 0;

/** Resolves when every subscriber has had a message, and the messages have stopped. */
export async function whenReached(clients: Clients, send: Send, subscribers: number): Promise<void> {
  // A detection of every camera, again and again, until every subscriber has one.
  await until(
    async () => {
      await sendRound(send, KINDS);
      return (await clients.ask("count")).reached === subscribers;
    },
    { pauseMs: 250 },
  );
  let last = -1;
  await until(
    async () => {
      const { messages } = await clients.ask("count");
      const same = messages === last;
      last = messages;
      return same;
    },
    { pauseMs: 500 },
  );
}

export async function sendRound(send: Send, detections: number): Promise<void> {
  await send(made, detections);
  made += detections;
}

/**
 * Resolves with deliveries per second of one round: from the first detection sent to the last message received.
 * `readers` is the number of subscribers that must receive everything.
 */
export async function delivered(clients: Clients, send: Send, detections: number, readers: number): Promise<number> {
  const before = await clients.ask("count");
  const startedAt = performance.timeOrigin + performance.now();
  await sendRound(send, detections);
  const wanted = before.messages + (detections / KINDS) * readers;
  const after = await until(
    async () => {
      const counted = await clients.ask("count");
      return counted.messages >= wanted && counted;
    },
    { timeoutMs: ROUND_TIMEOUT_MS },
  );
  if (after === false) throw new Error("the messages did not come");
  return (after.messages - before.messages) / ((after.lastAt - startedAt) / 1_000);
}
