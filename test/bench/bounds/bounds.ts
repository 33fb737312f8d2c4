// The largest inputs that the bounds allow: the time for which they block the API, and the fold of one detection.
import { setTimeout as delay } from "node:timers/promises";
import {
  apply,
  createGeofences,
  createPartition,
  type LiveSettings,
  noOutputs,
  noSubscriptions,
} from "../../../projections/live/partition.ts";
import type { CameraLogEvent, Zone } from "../../../schemas/events.ts";
import type { GraphQLClient } from "../../support/graphql-client.ts";
import { prepareSystem } from "../../support/launch-system.ts";
import { type ServiceProcess, startService } from "../../support/processes.ts";
import { type Comparison, median } from "../measure.ts";
import { reportOf, watchedBy } from "../processes.ts";
import type { BenchStack } from "../stack.ts";
import { benchQuestions } from "./questions.ts";
import { columns, layers, star, turned } from "./shapes.ts";

const OUTLINE_VERTICES = 256;
const ZONE_VERTICES = 10_000;
/** As many as fill a data source: the fold gets as many edges from them as from fewer and larger ones. */
const FOLDED = { zones: 8, vertices: 8_000 };
const ZONES_PER_SOURCE = 6;
const SIZE = 1_000;
const ROUNDS = 5;

export async function benchBounds(stack: BenchStack): Promise<Comparison[]> {
  return [...benchFold(), ...(await benchQuestions(row)), ...(await benchApi(stack))];
}

const row = (name: string, ours: number, goal: string): Comparison => ({
  ...{ name: `bounds, ${name}`, unit: "ms", ours, goal },
  ...{ baseline: Number.NaN, ratio: Number.NaN },
});

const settings: LiveSettings = {
  ...{ trackTtlMs: 15_000, reorderMs: 0, updateIntervalMs: 1_000, forgetAfterMs: 3_600_000 },
  rememberedTracks: 50_000,
  maxSourceVertices: FOLDED.vertices * FOLDED.zones,
  geofences: createGeofences(),
  subscriptions: noSubscriptions,
};

/** The worst known combination counts: every zone over all of the detection, most of their edges crossing. */
function benchFold(): Comparison[] {
  const shapes: Readonly<Record<string, (vertices: number) => number[]>> = {
    layers: (vertices) => layers(vertices, SIZE),
    columns: (vertices) => columns(vertices, SIZE),
    rising: (vertices) => turned(layers(vertices, SIZE), SIZE, Math.PI / 4, 0.7),
    falling: (vertices) => turned(layers(vertices, SIZE), SIZE, -Math.PI / 4, 0.7),
    tilted: (vertices) => turned(layers(vertices, SIZE), SIZE, 0.1, 1.3),
    star: (vertices) => star(vertices, SIZE, seeded()),
  };
  let worst = { name: "", ms: 0 };
  for (const [zone, ofZone] of Object.entries(shapes)) {
    for (const [outline, ofOutline] of Object.entries(shapes)) {
      const ms = foldMs(ofZone(FOLDED.vertices), ofOutline(OUTLINE_VERTICES));
      process.stderr.write(`  ${outline} in ${FOLDED.zones} zones of ${zone}: ${ms.toFixed(1)} ms\n`);
      if (ms > worst.ms) worst = { name: `${outline} in ${zone}`, ms };
    }
  }
  return [row(`one detection folded (${worst.name})`, worst.ms, "< 100 ms")];
}

function foldMs(zoneRing: readonly number[], outline: readonly number[]): number {
  const state = createPartition(0);
  let offset = 0;
  const fold = (message: CameraLogEvent): number => {
    const out = noOutputs();
    const began = performance.now();
    apply(state, { offset: offset++, recordedAt: 0, message }, settings, out);
    return performance.now() - began;
  };
  for (let i = 0; i < FOLDED.zones; i++) {
    fold({
      type: "ZoneCreated",
      event: {
        zone: zoneOf(
          `z${i}`,
          zoneRing.map((value) => value + i * 1e-3),
        ),
      },
    });
  }
  const times = Array.from({ length: ROUNDS + 1 }, (_, timestamp) => {
    const polygon = { rings: [outline], crs: null };
    const detection = { trackId: "t", timestamp, polygon, position: null, direction: null, metadata: null };
    return fold({ type: "DetectionsRecorded", event: { dataSourceId: "cam", detections: [detection] } });
  });
  return median(times.slice(1));
}

const zoneOf = (zoneId: string, ring: readonly number[]): Zone => ({
  ...{ zoneId, dataSourceId: "cam", name: zoneId, active: true, createdAt: 0, updatedAt: 0 },
  ...{ polygon: { rings: [ring], crs: null }, anchor: "area", enterDetections: 1, exitDelayMs: 0 },
});

function seeded(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Each request is as large as a body may be. */
async function benchApi(stack: BenchStack): Promise<Comparison[]> {
  const system = await prepareSystem(stack.env, `bench_${Date.now()}`, { API_INTAKE_BYTES: String(16 * 1024 * 1024) });
  const api = await startService("api", { ...system.env, ...watchedBy("./bounds/watch-loop.ts") });
  try {
    const rows: Comparison[] = [];
    for (const [name, ask] of Object.entries(requests(system.client))) {
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const send = await ask();
        await longestBlock(api);
        await send();
        times.push(await longestBlock(api));
        process.stderr.write(`  ${name} round ${round}: blocked for ${times.at(-1)?.toFixed(1)} ms at most\n`);
      }
      rows.push(row(`API blocked at a time, ${name}`, median(times.slice(1)), "< 50 ms"));
    }
    return rows;
  } finally {
    await api.stop();
  }
}

function requests(client: GraphQLClient): Readonly<Record<string, () => Promise<() => Promise<unknown>>>> {
  const zonePoints = pairs(layers(ZONE_VERTICES, SIZE).map(rounded));
  const outlines = { long: pairs(star(OUTLINE_VERTICES, SIZE, seeded()).map(rounded)), short: pairs(fewDigits()) };
  const detections = async (count: number, points: number[][]) => {
    const trackId = await createTrack(client);
    const inputs = Array.from({ length: count }, (_, i) => ({
      ...{ trackId, timestamp: new Date(Date.UTC(2026, 0, 1) + i).toISOString() },
      polygon: { coordinates: [points] },
    }));
    const query = "mutation ($d: [CreateDetectionInput!]!) { createDetections(detections: $d) { id } }";
    return () => client.ask(query, { d: inputs });
  };
  return {
    "36 zones of 10 000 vertices": () => zones(client, 36, zonePoints),
    "1 700 outlines of 256 vertices": () => detections(1_700, outlines.long),
    "3 800 outlines of 256 vertices, few digits": () => detections(3_800, outlines.short),
  };
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
