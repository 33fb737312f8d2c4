// One cell of the matrix: an installation with so many cameras and partitions.
import { projectedUpTo } from "../../../projections/history/queries/positions.ts";
import { topicName } from "../../../schemas/topics.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { type PreparedSystem, prepareSystem } from "../../support/running/launch-system.ts";
import { type ServiceName, type ServiceProcess, spawnService } from "../../support/running/processes.ts";
import { residentMib } from "../../support/running/resident.ts";
import {
  type BenchCameras,
  createBenchCameras,
  DETECTIONS_PER_EVENT,
  log,
  NO_EXPIRIES,
  writeCameraLog,
} from "../camera-log.ts";
import { endsOf } from "../decode-log.ts";
import { foldedUpTo } from "../latency/observe.ts";
import { format } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { writeUnseen } from "./unseen.ts";
import { type Positions, type Rate, startWindow, untilPast, untilShared } from "./window.ts";

export interface Cell {
  readonly cameras: number;
  readonly partitions: number;
  /** Number of processes of each service. */
  readonly processes: number;
}

export interface OpenCell {
  readonly stack: BenchStack;
  readonly system: PreparedSystem;
  readonly cell: Cell;
  readonly cameras: BenchCameras;
  readonly topic: string;
  /** Events of the log so far. */
  events: number;
}

const MOST_WARNINGS = 20;

/** The log then has the zones, and so many events. */
export async function openCell(stack: BenchStack, cell: Cell, events: number): Promise<OpenCell> {
  const namespace = `bench_growth_${cell.cameras}_${cell.partitions}_${cell.processes}_${Date.now()}`;
  const settings = { CAMERA_PARTITIONS: String(cell.partitions), ...NO_EXPIRIES };
  const system = await prepareSystem(stack.env, namespace, settings);
  const topic = topicName(namespace, "camera-log");
  const cameras = createBenchCameras(cell.cameras);
  await writeCameraLog(system.env, topic, { cameras, zones: cameras.zones(), first: 0, events });
  return { stack, system, cell, cameras, topic, events };
}

export function nameOf({ cameras, partitions, processes }: Cell): string {
  const log = `${countOf(cameras)} cameras, ${partitions} partitions`;
  return processes === 1 ? log : `${log}, ${processes} processes`;
}

export const countOf = (count: number): string => count.toLocaleString("en-US");

export async function foldCell(open: OpenCell, events: number): Promise<Rate> {
  const { env, namespace } = open.system;
  const redis = createRedis(loadConfig(redisEnv, env), log);
  await redis.start();
  try {
    const { partitions } = open.cell;
    const positions = () => foldedUpTo(redis.client, namespace, partitions);
    return await measure(open, { name: "state-machine", events }, positions);
  } finally {
    await redis.stop();
  }
}

export async function projectCell(open: OpenCell, events: number): Promise<Rate> {
  const client = createClickHouse(loadConfig(clickhouseEnv, open.system.env));
  try {
    return await measure(open, { name: "projector", events }, () => projectedUpTo(client, open.topic));
  } finally {
    await client.close();
  }
}

/** The processes warm up with the log so far. Then it becomes longer by so many events, at one moment. */
async function measure(
  open: OpenCell,
  { name, events }: { readonly name: ServiceName; readonly events: number },
  positions: Positions,
): Promise<Rate> {
  const { stack, system, cell, topic } = open;
  const env = { ...system.env, NODE_OPTIONS: process.env["BENCH_GROWTH_NODE_OPTIONS"] ?? "" };
  const starting = Array.from({ length: cell.processes }, () => spawnService(name, env));
  const services = await Promise.all(starting);
  try {
    const startedAt = performance.now();
    await untilPast(positions, await endsOf(system.env, topic));
    await untilShared(services, topic);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stderr.write(`    ${name}: ready after ${seconds} s\n`);
    const { ends, show } = await writeUnseen({ ...open, env: system.env, first: open.events, events });
    open.events += events;
    const end = await startWindow({ services, stores: stack.pids() });
    await show();
    await untilPast(positions, ends);
    const rate = await end(events * DETECTIONS_PER_EVENT);
    const memory = await Promise.all(services.map(({ pid }) => residentMib(pid)));
    reportRate(`${name}, ${nameOf(cell)}`, rate, memory);
    for (const service of services) reportWarnings(service);
    return rate;
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

/** Work that was repeated after a failure makes the figures of a cell useless. */
function reportWarnings({ output }: ServiceProcess): void {
  const lines = output().split("\n");
  const warnings = lines.filter((line) => /"level":"(warn|error)"/.test(line));
  for (const line of warnings.slice(0, MOST_WARNINGS)) process.stderr.write(`      ${line}\n`);
}

export function reportRate(name: string, { detectionsPerSecond, us, stores }: Rate, memory: readonly number[]): void {
  const used = Object.entries({ own: us, ...stores }).map(([who, each]) => `${who} ${each.toFixed(2)}`);
  const rate = `${format(detectionsPerSecond)} detections/s; us a detection: ${used.join(", ")}`;
  process.stderr.write(`    ${name}: ${rate}; ${memory.map(Math.round).join(" and ")} MiB\n`);
}
