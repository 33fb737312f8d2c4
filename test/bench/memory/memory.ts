// The resident memory of each service over a run at half of its top rate, against its memory after the first minute.
// Tracks begin and end as in production, so a leak per track shows.
import type { GraphQLClient } from "../../support/clients/graphql-client.ts";
import { launchSystem, type System } from "../../support/running/launch-system.ts";
import type { ServiceName } from "../../support/running/processes.ts";
import { residentMib } from "../../support/running/resident.ts";
import { patientClient } from "../../support/scenes/load.ts";
import { type Camera, createCameras, pace, replaceTracks, sendFrame } from "../camera-load.ts";
import { parameter } from "../config.ts";
import { type Comparison, median } from "../measure.ts";
import type { BenchStack } from "../stack.ts";

const CAMERAS = 50;
const PER_FRAME = 50;
const TRACK_SECONDS = 60;
const PROBE_SECONDS = 10;
const SAMPLE_MS = 2_000;
/** A sample is a moment between two garbage collections; the median of so many is the level. */
const LEVEL_SAMPLES = 15;
const NAMES: readonly ServiceName[] = ["api", "projector", "state-machine"];

type Samples = Record<ServiceName, number[]>;

export async function benchMemory(stack: BenchStack): Promise<Comparison[]> {
  const seconds = parameter("BENCH_MEMORY_SECONDS", 600);
  const firstMinute = Math.min(60, seconds / 4);
  const { system, stop } = await launchSystem(stack.env, `bench_memory_${Date.now()}`);
  try {
    const refusedAt: number[] = [];
    const client = patientClient(system.client, () => refusedAt.push(performance.now()));
    const cameras = await createCameras(client, CAMERAS, PER_FRAME);
    const top = await topSpeed(client, cameras);
    const framesPerSecond = Math.max(1, Math.round(top / 2));
    process.stderr.write(`  half of top speed: ${framesPerSecond * PER_FRAME} detections/s\n`);
    refusedAt.length = 0;
    const startedAt = performance.now();
    const stopReplacing = keepReplacing(client, cameras);
    const samples: Samples = { api: [], projector: [], "state-machine": [] };
    const timer = setInterval(() => void sample(system, samples), SAMPLE_MS);
    const load = { framesPerSecond, seconds };
    await pace(cameras, load, (camera) => sendChecked(client, camera)).finally(() => clearInterval(timer));
    await stopReplacing();
    const inSeconds = new Set(refusedAt.map((at) => Math.round((at - startedAt) / 1_000)));
    process.stderr.write(`  refused and sent again: ${refusedAt.length}, in seconds ${[...inSeconds].join(" ")}\n`);
    return NAMES.map((name) => comparison(name, samples[name], (firstMinute * 1_000) / SAMPLE_MS));
  } finally {
    await stop();
  }
}

/** Frames per second that are accepted when each camera sends its next as soon as the one before is acknowledged. */
async function topSpeed(client: GraphQLClient, cameras: readonly Camera[]): Promise<number> {
  const deadline = performance.now() + PROBE_SECONDS * 1_000;
  let frames = 0;
  await Promise.all(
    cameras.map(async (camera) => {
      for (; performance.now() < deadline; frames++) await sendChecked(client, camera);
    }),
  );
  return frames / PROBE_SECONDS;
}

async function sendChecked(client: GraphQLClient, camera: Camera): Promise<void> {
  const { answer } = await sendFrame(client, camera);
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
}

/** Returns a function that ends it. */
function keepReplacing(client: GraphQLClient, cameras: readonly Camera[]): () => Promise<void> {
  let running = true;
  const loop = (async () => {
    for (let n = 0; running; n++) {
      const camera = cameras[n % cameras.length];
      const next = performance.now() + (TRACK_SECONDS * 1_000) / cameras.length;
      if (camera !== undefined) await replaceTracks(client, camera, PER_FRAME);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
    }
  })();
  return async () => {
    running = false;
    await loop;
  };
}

async function sample({ services }: System, samples: Samples): Promise<void> {
  for (const name of NAMES) samples[name].push(await residentMib(services[name].pid));
}

function comparison(name: ServiceName, samples: readonly number[], first: number): Comparison {
  const after = Math.round(first);
  const begin = median(samples.slice(Math.max(0, after - LEVEL_SAMPLES), after));
  const end = median(samples.slice(-LEVEL_SAMPLES));
  process.stderr.write(
    `  ${name}: ${trend(samples)} MiB; ${slope(samples.slice(after)).toFixed(2)} MiB/min after that\n`,
  );
  return { name: `memory, ${name}`, unit: "MiB", ours: end, baseline: begin, ratio: end / begin, goal: "<= 1.2" };
}

/** The medians of ten parts of the run. */
function trend(samples: readonly number[]): string {
  const part = Math.max(1, Math.floor(samples.length / 10));
  return Array.from({ length: 10 }, (_, i) => Math.round(median(samples.slice(i * part, (i + 1) * part)))).join(" ");
}

/** Least squares, per minute. */
function slope(samples: readonly number[]): number {
  const n = samples.length;
  const meanX = (n - 1) / 2;
  const meanY = samples.reduce((sum, y) => sum + y, 0) / n;
  const xy = samples.reduce((sum, y, x) => sum + (x - meanX) * (y - meanY), 0);
  const xx = samples.reduce((sum, _y, x) => sum + (x - meanX) ** 2, 0);
  return (xy / xx) * (60_000 / SAMPLE_MS);
}
