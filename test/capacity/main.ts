// npm run test:capacity [-- --seconds N]: puts the load of few and then of many cameras on all roles, measures what a
// process and a detection cost in each role and store, and writes services/cli/capacity/measured.json, from which
// docs/capacity.md is computed.
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { partitionKeys } from "../../schemas/redis-keys.ts";
import {
  type MeasuredCosts,
  type ProcessorCost,
  type RoleName,
  roles,
  type StoreName,
  stores as storeNames,
} from "../../services/cli/capacity/plan.ts";
import { type Stores, startStores } from "../../services/embedded/stores.ts";
import { type Camera, createCameras, pace, replaceTracks, sendFrame } from "../bench/camera-load.ts";
import { type Inspector, openInspector } from "../support/clients/final-state-inspector.ts";
import { launchSystem, type System } from "../support/running/launch-system.ts";
import { processorSeconds } from "../support/running/processor-time.ts";
import { residentMib } from "../support/running/resident.ts";
import { startStateApi } from "../support/running/state-api.ts";
import { patientClient } from "../support/scenes/load.ts";
import { square } from "../support/scenes/zone.ts";

const LOAD = { boxes: 10, fps: 5, zonesPerCamera: 3, trackSeconds: 20 };
/**
 * A process that handles few detections at a time works in many small rounds. The difference between the two loads is
 * the cost of further detections.
 */
const CAMERAS: readonly [few: number, many: number] = [20, 100];
const WARM_UP_S = 20;
const { values } = parseArgs({ options: { seconds: { type: "string", default: "120" } } });
const seconds = Number(values.seconds);
if (!(seconds >= LOAD.trackSeconds)) {
  process.stderr.write(`usage: npm run test:capacity [-- --seconds N], N of at least ${LOAD.trackSeconds}\n`);
  process.exit(2);
}

const dataDir = await mkdtemp(join(tmpdir(), "tracklog-capacity-"));
const { PATH, JAVA_HOME, HOME } = process.env;
const stores = await startStores({ dataDir, env: { PATH, JAVA_HOME, HOME } });
try {
  const launched = await launchSystem(stores.env, `capacity_${Date.now()}`, { API_QUEUE_MS: "10000" });
  // The API of a machine with other work refuses a write now and then, and the cameras repeat it.
  const system = { ...launched.system, client: patientClient(launched.system.client) };
  try {
    await Promise.all([startStateApi(system), system.start("webhooks")]);
    const measured = await measure(system);
    const file = new URL("../../services/cli/capacity/measured.json", import.meta.url);
    await writeFile(file, `${JSON.stringify(measured, undefined, 2)}\n`);
    process.stdout.write(`${JSON.stringify(measured, undefined, 2)}\n`);
  } finally {
    await launched.stop();
  }
} finally {
  await stores.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();

async function measure(system: System): Promise<MeasuredCosts> {
  const inspector = await openInspector(system);
  const cameras = await createCameras(system.client, CAMERAS[1], LOAD.boxes);
  await Promise.all(cameras.map((camera) => createZones(system, camera)));
  const few = await underLoad(system, inspector, cameras.slice(0, CAMERAS[0]));
  const many = await underLoad(system, inspector, cameras);
  const perDetection = (bytes: number, topic: string) =>
    (bytes - (few.before.kafka[topic] ?? 0)) / (few.detections + many.detections);
  const result = {
    machine: `${cpus().length} x ${cpus()[0]?.model}`,
    load: { cameras: CAMERAS, ...LOAD, seconds, detections: few.detections + many.detections },
    cpu: Object.fromEntries(
      [...roles, ...storeNames].map((name) => [name, costOf(few.of(name), many.of(name))]),
    ) as Record<RoleName | StoreName, ProcessorCost>,
    kafkaBytesPerDetection: present(mapped(many.after.kafka, perDetection)),
    clickhouseBytesPerDetection: present(await bytesOfTables(inspector)),
    redisBytes: await bytesInRedis(inspector),
    residentMib: await residents(system),
  };
  await inspector.close();
  return result;
}

/** Sends the frames of the cameras after a while in which the processes get used to them. */
async function underLoad(system: System, inspector: Inspector, cameras: readonly Camera[]) {
  await send(system, cameras, WARM_UP_S);
  await inspector.caughtUp();
  const begunAt = performance.now();
  const before = await costsSoFar(system, inspector);
  const detections = await send(system, cameras, seconds);
  await inspector.caughtUp();
  const after = await costsSoFar(system, inspector);
  const lasted = (performance.now() - begunAt) / 1_000;
  const of = (name: string): Point => ({
    cores: ((after.cpu[name] ?? 0) - (before.cpu[name] ?? 0)) / lasted,
    detectionsPerSecond: detections / lasted,
  });
  return { before, after, detections, of };
}

interface Point {
  readonly cores: number;
  readonly detectionsPerSecond: number;
}

/** The line through two points. Noise may put its beginning below 0, and let it fall. */
function costOf(few: Point, many: Point): ProcessorCost {
  const perDetection = Math.max(0, (many.cores - few.cores) / (many.detectionsPerSecond - few.detectionsPerSecond));
  return {
    baseCores: Math.max(0, few.cores - perDetection * few.detectionsPerSecond),
    secondsPerMillion: perDetection * 1e6,
  };
}

async function createZones({ client }: System, { dataSourceId }: Camera): Promise<void> {
  for (const left of [100, 700, 1_200]) {
    const polygon = { coordinates: [square(400, left, left / 4)] };
    const zone = { id: `${dataSourceId}-${left}`, dataSourceId, name: `zone ${left}`, polygon };
    await client.ask("mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }", { zone });
  }
}

/** Objects leave the image and others come, again and again. Resolves with the number of accepted detections. */
async function send(system: System, cameras: readonly Camera[], forSeconds: number): Promise<number> {
  let accepted = 0;
  for (let left = forSeconds; left > 0; left -= LOAD.trackSeconds) {
    const turn = { framesPerSecond: cameras.length * LOAD.fps, seconds: Math.min(left, LOAD.trackSeconds) };
    await pace(cameras, turn, async (camera) => {
      const { answer, detections } = await sendFrame(system.client, camera);
      if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
      accepted += detections;
    });
    await Promise.all(cameras.map((camera) => replaceTracks(system.client, camera, LOAD.boxes)));
  }
  return accepted;
}

interface Costs {
  readonly cpu: Readonly<Record<string, number>>;
  readonly kafka: Readonly<Record<string, number>>;
}

async function costsSoFar(system: System, inspector: Inspector): Promise<Costs> {
  const cpu: Record<string, number> = {};
  for (const { name, pid } of system.started) {
    if ((roles as readonly string[]).includes(name)) cpu[name] = await processorSeconds(pid);
  }
  for (const name of storeNames) cpu[name] = await processorSeconds(pidOf(stores, name));
  return { cpu, kafka: await bytesOfTopics(inspector.namespace) };
}

function pidOf(running: Stores, name: (typeof storeNames)[number]): number {
  const pid = running.pids()[name];
  if (pid === undefined) throw new Error(`${name} does not run`);
  return pid;
}

/** Bytes of the logs of each topic. Indexes are allocated in advance, and are not counted. */
async function bytesOfTopics(namespace: string): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {};
  for (const file of await readdir(join(dataDir, "kafka"), { recursive: true })) {
    const topic = new RegExp(`(?:^|/)${namespace}\\.([a-z-]+)-\\d+/\\d+\\.log$`).exec(file)?.[1];
    if (topic !== undefined) bytes[topic] = (bytes[topic] ?? 0) + (await stat(join(dataDir, "kafka", file))).size;
  }
  return bytes;
}

/** Merged, as ClickHouse has them after a while. Divided by all detections that are stored. */
async function bytesOfTables({ clickhouse }: Inspector): Promise<Record<string, number>> {
  const ask = async <Row>(query: string) => (await clickhouse.query({ query, format: "JSONEachRow" })).json<Row>();
  const tables = await ask<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
  );
  for (const { name } of tables) await clickhouse.command({ query: `OPTIMIZE TABLE ${name} FINAL` });
  await delay(1_000);
  const sizes = await ask<{ table: string; bytes: string }>(
    "SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase() AND active GROUP BY table",
  );
  const [stored] = await ask<{ rows: string }>("SELECT count() AS rows FROM detections_v1 FINAL");
  return Object.fromEntries(sizes.map(({ table, bytes }) => [table, Number(bytes) / Number(stored?.rows)]));
}

async function bytesInRedis({ redis, namespace, partitions }: Inspector) {
  const all = Array.from({ length: partitions }, (_, partition) => partitionKeys(namespace, partition));
  const perEntry = async (names: readonly ("tracks" | "past" | "zones")[], counted: "tracks" | "zones") => {
    let [bytes, entries] = [0, 0];
    for (const keys of all) {
      for (const name of names) bytes += Number(await redis.call("MEMORY", "USAGE", keys[name], "SAMPLES", "0"));
      entries += Number(await redis.call("HLEN", keys[counted]));
    }
    return bytes / entries;
  };
  return { track: await perEntry(["tracks", "past"], "tracks"), zone: await perEntry(["zones"], "zones") };
}

async function residents({ started }: System): Promise<Record<RoleName, number>> {
  const found: Record<string, number> = {};
  for (const { name, pid } of started) found[name] = await residentMib(pid);
  return found as Record<RoleName, number>;
}

function mapped(of: Readonly<Record<string, number>>, change: (value: number, name: string) => number) {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]));
}

/** Without what costs less than a thousandth of a byte. */
function present(of: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value >= 0.001));
}
