// Requests as large as a body may be, to a whole API.
import { setTimeout as delay } from "node:timers/promises";
import type { GraphQLClient } from "../../support/clients/graphql-client.ts";
import { prepareSystem } from "../../support/running/launch-system.ts";
import { type ServiceProcess, startService } from "../../support/running/processes.ts";
import { type Comparison, median } from "../measure.ts";
import { reportOf, watchedBy } from "../processes.ts";
import type { BenchStack } from "../stack.ts";
import { boundsRow, isAsked } from "./row.ts";
import { layers, seeded, star } from "./shapes.ts";

const OUTLINE_VERTICES = 256;
const ZONE_VERTICES = 10_000;
const ZONES_PER_SOURCE = 6;
const SIZE = 1_000;
const ROUNDS = 5;

export async function benchRequests(stack: BenchStack): Promise<Comparison[]> {
  const asked = Object.entries(requests).filter(([name]) => isAsked(name));
  if (asked.length === 0) return [];
  const system = await prepareSystem(stack.env, `bench_${Date.now()}`, { API_INTAKE_BYTES: String(16 * 1024 * 1024) });
  // The answer to a zone waits for it.
  const machine = await startService("state-machine", system.env);
  const api = await startService("api", { ...system.env, ...watchedBy("./bounds/watch-loop.ts") });
  try {
    const rows: Comparison[] = [];
    for (const [name, ask] of asked) {
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const send = await ask(system.client);
        await longestBlock(api);
        await send();
        times.push(await longestBlock(api));
        process.stderr.write(`  ${name} round ${round}: blocked for ${times.at(-1)?.toFixed(1)} ms at most\n`);
      }
      rows.push(boundsRow(`API blocked at a time, ${name}`, median(times.slice(1)), "< 50 ms"));
    }
    return rows;
  } finally {
    await api.stop();
    await machine.stop();
  }
}

type PrepareRequest = (client: GraphQLClient) => Promise<() => Promise<unknown>>;

const requests: Readonly<Record<string, PrepareRequest>> = {
  "36 zones of 10 000 vertices": (client) => zones(client, 36, pairs(layers(ZONE_VERTICES, SIZE).map(rounded))),
  "1 700 outlines of 256 vertices": (client) =>
    detections(client, 1_700, pairs(star(OUTLINE_VERTICES, SIZE, seeded()).map(rounded))),
  "3 800 outlines of 256 vertices, few digits": (client) => detections(client, 3_800, pairs(fewDigits())),
};

async function detections(client: GraphQLClient, count: number, points: number[][]) {
  const trackId = await createTrack(client);
  const inputs = Array.from({ length: count }, (_, i) => ({
    ...{ trackId, timestamp: new Date(Date.UTC(2026, 0, 1) + i).toISOString() },
    polygon: { coordinates: [points] },
  }));
  const query = "mutation ($d: [CreateDetectionInput!]!) { createDetections(detections: $d) { id } }";
  return () => client.ask(query, { d: inputs });
}

async function zones(client: GraphQLClient, count: number, points: number[][]) {
  const sources: string[] = [];
  for (let i = 0; i < count / ZONES_PER_SOURCE; i++) sources.push(await createDataSource(client));
  const names = Array.from({ length: count }, (_, i) => `z${i}`);
  const variables = names.map((name, i) => {
    const dataSourceId = sources[Math.floor(i / ZONES_PER_SOURCE)];
    return [name, { dataSourceId, name, polygon: { coordinates: [points] } }];
  });
  const declared = names.map((name) => `$${name}: CreateZoneInput!`).join(" ");
  const query = `mutation (${declared}) { ${names.map((name) => `${name}: createZone(zone: $${name}) { id }`).join(" ")} }`;
  return () => client.ask(query, Object.fromEntries(variables));
}

async function createDataSource(client: GraphQLClient): Promise<string> {
  const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
    `mutation { createDataSource(dataSource: { name: "bench", type: VIDEO_DEVICE }) { id } }`,
  );
  return createDataSource.id;
}

async function createTrack(client: GraphQLClient): Promise<string> {
  const dataSourceId = await createDataSource(client);
  const track = {
    dataSourceId,
    tag: "person",
    startTime: new Date(Date.UTC(2026, 0, 1)).toISOString(),
    detections: [],
  };
  const { createTrack } = await client.ask<{ createTrack: { id: string } }>(
    "mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }",
    { track },
  );
  return createTrack.id;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

const pairs = (ring: readonly number[]): number[][] =>
  ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1] ?? 0]] : []));

/** A comb on small whole numbers: as many points as fit into a body. */
function fewDigits(): number[] {
  const teeth = Array.from({ length: (OUTLINE_VERTICES - 4) / 4 }, (_, i) => {
    const x = 2 * i;
    return [x, 9, x + 1, 9, x + 1, 1, x + 2, 1];
  });
  return [0, 0, ...teeth.flat(), teeth.length * 2, 0, 0, 0];
}

/** The longest block since the call before, this call included; the next call counts from here. */
async function longestBlock(api: ServiceProcess): Promise<number> {
  // Lets the watcher's timer see the end of a block first.
  await delay(50);
  return (await reportOf<{ readonly longestBlockMs: number }>(api)).longestBlockMs;
}
