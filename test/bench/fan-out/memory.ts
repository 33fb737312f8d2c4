// The memory that idle subscribers take in the API and in mercurius: each on a connection of its own, and a hundred on
// each connection.
import type { ChildProcess } from "node:child_process";
import type { PreparedSystem } from "../../support/running/launch-system.ts";
import { startService } from "../../support/running/processes.ts";
import { type Comparison, format } from "../measure.ts";
import { askHelper, reportOf, startHelper, watchedBy } from "../processes.ts";
import { detectionObjects, type Send } from "./detections.ts";
import type { MemoryInUse } from "./memory-in-use.ts";
import { type Clients, startClients, whenReached } from "./sides.ts";

export interface MemoryScene {
  readonly system: PreparedSystem;
  readonly env: Readonly<Record<string, string>>;
  readonly send: Send;
  readonly subscribers: number;
}

/** A process with subscribers, whose memory is asked for. */
interface Server {
  readonly port: number;
  readonly send: Send;
  memory(): Promise<MemoryInUse>;
  stop(): Promise<unknown>;
}

interface SubscriberBytes {
  readonly resident: number;
  readonly objects: number;
}

const SHARED = 100;
const KB = 1_000;

export async function subscriberMemory(scene: MemoryScene): Promise<Comparison[]> {
  const own = await bytesPerSubscriber(() => startApi(scene), scene, 1);
  const shared = await bytesPerSubscriber(() => startApi(scene), scene, SHARED);
  const ownThere = await bytesPerSubscriber(startBare, scene, 1);
  const sharedThere = await bytesPerSubscriber(startBare, scene, SHARED);
  const row = (name: string, ours: number, baseline: number, goal = ""): Comparison => ({
    ...{ name: `memory of ${name}`, unit: "kB", goal },
    ...{ ours: ours / KB, baseline: baseline / KB, ratio: ours / baseline },
  });
  return [
    row("a subscriber, own connection", own.resident, ownThere.resident, "<= 10"),
    row("a subscriber, a hundred per connection", shared.resident, sharedThere.resident, "<= 10"),
    row("the same, objects only", own.objects, ownThere.objects),
    row("the same, objects only, a hundred per connection", shared.objects, sharedThere.objects),
  ];
}

/** A tenth of the subscribers first: what the first ones cost once is not counted. */
async function bytesPerSubscriber(
  start: () => Promise<Server>,
  { system, subscribers }: MemoryScene,
  perConnection: number,
): Promise<SubscriberBytes> {
  const server = await start();
  const clients: Clients[] = [];
  const add = async (count: number) => {
    const init = { "x-token-id": system.token.id, "x-token-value": system.token.value };
    const added = await startClients({ port: server.port, count, connections: count / perConnection, init });
    clients.push(added);
    await whenReached(added, server.send, count);
    return server.memory();
  };
  try {
    const none = await server.memory();
    const first = await add(subscribers / 10);
    const all = await add(subscribers - subscribers / 10);
    const texts = [none, first, all].map(({ residentBytes }) => `${format(residentBytes / KB / KB)} MB`);
    const counts = `none, ${subscribers / 10} and ${subscribers} subscribers`;
    process.stderr.write(`  resident with ${counts}, ${perConnection} per connection: ${texts.join(", ")}\n`);
    const each = (bytes: (memory: MemoryInUse) => number) => (bytes(all) - bytes(first)) / (subscribers * 0.9);
    return { resident: each((memory) => memory.residentBytes), objects: each((memory) => memory.objectBytes) };
  } finally {
    for (const each of clients) each.stop();
    await server.stop();
  }
}

async function startApi({ system, env, send }: MemoryScene): Promise<Server> {
  const api = await startService("api", { ...system.env, ...env, ...watchedBy("./fan-out/report-memory.ts") });
  return { port: Number(new URL(system.url).port), send, memory: () => reportOf<MemoryInUse>(api), stop: api.stop };
}

export async function startBareSide(): Promise<{ readonly child: ChildProcess; readonly port: number; send: Send }> {
  const [child, port] = await startHelper<number>("./fan-out/bare-mercurius.ts", []);
  return { child, port, send: async (first, count) => child.send(detectionObjects(first, count)) };
}

async function startBare(): Promise<Server> {
  const { child, port, send } = await startBareSide();
  const memory = () => askHelper<MemoryInUse>(child, "memory");
  return { port, send, memory, stop: async () => child.disconnect() };
}
