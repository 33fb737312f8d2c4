// A large installation: how long an instance of the API takes to start with it, what its lists and nested fields cost,
// and how long a change of the catalog takes to reach many subscribers.
import { once } from "node:events";
import { WebSocket } from "ws";
import { type PreparedSystem, prepareSystem } from "../../support/running/launch-system.ts";
import { startService, until } from "../../support/running/processes.ts";
import { parameter } from "../config.ts";
import { type Comparison, median } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { deviceId, entitiesOf, fillCatalog, siteId } from "./fill.ts";

const ROUNDS = 7;
const SUBSCRIBERS = 500;

const size = {
  sites: 200,
  devices: parameter("BENCH_BULK_DEVICES", 5_000),
  geofences: parameter("BENCH_BULK_GEOFENCES", 20_000),
};

export async function benchBulk(stack: BenchStack): Promise<Comparison[]> {
  const system = await prepareSystem(stack.env, `bench_bulk_${Date.now()}`);
  await fillCatalog(system, entitiesOf(size));
  const startedAt = performance.now();
  const api = await startService("api", system.env);
  try {
    const results = [row("start of the API", performance.now() - startedAt, "< 10 000 ms")];
    for (const [name, query] of Object.entries(questions)) {
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) times.push(await timed(() => system.client.ask(query)));
      results.push(row(name, median(times.slice(1)), "< 100 ms"));
    }
    results.push(row(`a change of a device, at ${SUBSCRIBERS} subscribers`, await fanOut(system), "< 1 000 ms"));
    return results;
  } finally {
    await api.stop();
  }
}

const row = (name: string, ours: number, goal: string): Comparison => {
  process.stderr.write(`  ${name}: ${ours.toFixed(1)} ms\n`);
  return { name: `bulk, ${name}`, unit: "ms", ours, goal, baseline: Number.NaN, ratio: Number.NaN };
};

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await ask();
  return performance.now() - startedAt;
}

const questions: Readonly<Record<string, string>> = {
  "100 devices, with count": `{ devices(first: 100) { totalCount edges { node { id name } } } }`,
  "devices of a site, by filter": `{ devices(first: 100, filter: { site: { id: { eq: "${siteId(7)}" } } }) {
    totalCount edges { node { id dataSource { id name } site { name } } } } }`,
  "devices by a part of the name": `{ devices(first: 20, filter: { name: { like: "99" } }) { totalCount edges { node { id } } } }`,
  "100 sites, each with its devices": `{ sites(first: 100) { edges { node { id name devices { id name } } } } }`,
  "100 geofences by label, each with its site": `{ geofences(first: 100, filter: { labels: { in: ["area-7"] } }) {
    totalCount edges { node { id labels site { name } } } } }`,
  "a site with its geofences": `{ site(id: "${siteId(7)}") { geofences { id name } } }`,
  "100 data sources by label, with device and site": `{ dataSources(first: 100, filter: { labels: { in: ["floor-3"] } }) {
    totalCount edges { node { id labels device { name site { name } } zones { id } } } } }`,
};

/** Time from the mutation's beginning to the last subscriber's message. */
async function fanOut(system: PreparedSystem): Promise<number> {
  let received = 0;
  const sockets = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, () => subscribe(system, () => (received += 1))),
  );
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    received = 0;
    const device = { id: deviceId(round), name: `renamed ${round}` };
    const startedAt = performance.now();
    await system.client.ask("mutation ($device: UpdateDeviceInput!) { updateDevice(device: $device) { id } }", {
      device,
    });
    await until(() => received >= SUBSCRIBERS, { pauseMs: 5 });
    times.push(performance.now() - startedAt);
  }
  for (const socket of sockets) socket.terminate();
  return median(times.slice(1));
}

/** Resolves when the server has answered a ping that came after the subscription. */
async function subscribe({ url, token }: PreparedSystem, onNext: () => void): Promise<WebSocket> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), "graphql-transport-ws");
  await once(socket, "open");
  const answered = Promise.withResolvers<void>();
  socket.on("message", (data) => {
    const { type } = JSON.parse(String(data));
    if (type === "next") onNext();
    if (type === "pong") answered.resolve();
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  send({ type: "connection_init", payload: { "x-token-id": token.id, "x-token-value": token.value } });
  const query = "subscription { devices { state message { id name site { name } } } }";
  send({ id: "1", type: "subscribe", payload: { query } });
  send({ type: "ping" });
  await answered.promise;
  return socket;
}
