// npm run test:soak -- --minutes N: puts a mixed load on all services. Prints how much each process and store holds
// over time, and ends with code 1 if one of these figures still grows in the last quarter.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startBenchStack } from "../bench/stack.ts";
import { launchSystem, type System } from "../support/running/launch-system.ts";
import { startStateApi } from "../support/running/state-api.ts";
import { startSoakLoad } from "./load.ts";
import { createSampler, type Sample } from "./sample.ts";
import { growing, tableOf } from "./trend.ts";

/** Whatever is remembered for hours or by the ten thousand in production is full within minutes here. */
const SETTINGS = {
  TRACK_TTL: "5",
  FORGET_TRACK_MS: "60000",
  REMEMBERED_TRACKS: "500",
  DETECTION_TTL: "60",
  API_ROUTING_TTL_S: "120",
  API_ROUTING_TRACKS: "500",
  API_FEED_TRACKS: "500",
  API_FEED_POSITIONS: "20000",
  API_FEED_KEPT_BYTES: "16777216",
  STATE_API_KEPT_TRACKS: "100",
  STATE_API_ENDED_TRACK_MS: "60000",
  STATE_API_EVENT_KEEP_MS: "60000",
  WEBHOOKS_KEEP_MS: "60000",
  REPLAY_KEEP_MS: "60000",
  ALLOWED_URL_CIDRS: "127.0.0.0/8",
};

const SAMPLE_EVERY_MS = 15_000;

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  process.stderr.write("usage: npm run test:soak -- --minutes N\n");
  process.exit(2);
}
const scratch = await mkdtemp(join(tmpdir(), "tracklog-soak-"));
const figuresFile = join(scratch, "figures");
const stack = await startBenchStack();
try {
  const reporter = fileURLToPath(new URL("./report-heap.ts", import.meta.url));
  const settings = { ...SETTINGS, SOAK_FIGURES: figuresFile, NODE_OPTIONS: `--import=${reporter}` };
  const { system, stop } = await launchSystem(stack.env, `soak_${Date.now()}`, settings);
  try {
    await soak(system);
  } finally {
    await stop();
  }
} finally {
  await stack.stop();
  await rm(scratch, { recursive: true, force: true });
}
process.exit();

async function soak(system: System): Promise<void> {
  const [restUrl] = await Promise.all([startStateApi(system), system.start("webhooks"), system.start("replay")]);
  const sampler = await createSampler(system, figuresFile);
  const load = await startSoakLoad(system, restUrl);
  const samples: Sample[] = [];
  const begunAt = performance.now();
  const goneMinutes = () => (performance.now() - begunAt) / 60_000;
  while (goneMinutes() < minutes) {
    await delay(SAMPLE_EVERY_MS);
    samples.push(await sampler.take());
    const gone = goneMinutes().toFixed(1);
    process.stderr.write(`${gone} min ${JSON.stringify(load.counts())} ${JSON.stringify(load.refusals())}\n`);
  }
  await load.stop();
  await sampler.close();
  const ended = system.started.filter((service) => !service.running()).map(({ name }) => name);
  const grown = growing(samples);
  process.stdout.write(`${tableOf(samples)}\n`);
  process.stdout.write(`${JSON.stringify({ minutes, grown, ended, done: load.counts(), refused: load.refusals() })}\n`);
  if (grown.length > 0 || ended.length > 0) process.exitCode = 1;
}
