// The state machine while cameras send: its processor time for a detection when rounds are small, because it keeps up.
// The baseline is a process that reads and decodes the same log at the same time.
import { once } from "node:events";
import { topicName } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { provision } from "../../../services/cli/provision/provision.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { metricsOf, type ServiceProcess, startService } from "../../support/running/processes.ts";
import { processorSeconds } from "../../support/running/processor-time.ts";
import { log } from "../camera-log.ts";
import { parameter } from "../config.ts";
import { observeLiveState } from "../latency/observe.ts";
import { type Comparison, compareAll, format, quantile } from "../measure.ts";
import { startHelper } from "../processes.ts";
import type { BenchStack } from "../stack.ts";
import { observeOutputs } from "./observe-outputs.ts";
import { createSender, type Pace, type Sender } from "./sender.ts";

const PACES = [2_000, 20_000];
const ROUNDS = 3;
const WARM_UP = { detectionsPerSecond: 20_000, seconds: 5 };

interface Scene {
  readonly env: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly sender: Sender;
  readonly service: ServiceProcess;
  readonly readerPid: number;
}

export async function benchRounds(stack: BenchStack): Promise<Comparison[]> {
  const seconds = parameter("BENCH_ROUNDS_SECONDS", 10);
  const perFrame = parameter("BENCH_ROUNDS_FRAME", 50);
  const namespace = `bench_rounds_${Date.now()}`;
  const env = { ...stack.env, TRACKLOG_NAMESPACE: namespace };
  await provision(loadConfig(provisionEnv, env), log);
  const sender = await createSender(env, perFrame);
  const options = { NODE_OPTIONS: process.env["BENCH_ROUNDS_NODE_OPTIONS"] ?? "" };
  const service = await startService("state-machine", { ...env, ...options }, process.env["BENCH_ROUNDS_DIR"]);
  const [reader] = await startHelper<string>("./rounds/reader.ts", [], env);
  try {
    await sender.send(WARM_UP, () => undefined);
    const scene = { env, namespace, sender, service, readerPid: reader.pid ?? 0 };
    const rows: Comparison[] = [];
    for (const detectionsPerSecond of PACES) rows.push(...(await contest(scene, { detectionsPerSecond, seconds })));
    return rows;
  } finally {
    reader.kill();
    await once(reader, "exit");
    await service.stop();
    await sender.stop();
  }
}

/** Both figures of a round are of the same seconds. */
function contest(scene: Scene, pace: Pace): Promise<Comparison[]> {
  const name = `rounds at ${format(pace.detectionsPerSecond)} detections/s`;
  let last = { ours: Number.NaN, reading: Number.NaN };
  return compareAll({
    figures: { us: { name, unit: "us of processor a detection", goal: "" } },
    rounds: ROUNDS,
    baseline: async () => {
      last = await measure(scene, pace);
      return { us: last.reading };
    },
    ours: async () => ({ us: last.ours }),
  });
}

async function measure({ env, namespace, sender, service, readerPid }: Scene, pace: Pace) {
  const [live, output]: [number[], number[]] = [[], []];
  const state = await observeLiveState({ env, namespace }, (ms) => live.push(ms));
  const outputs = await observeOutputs(env, topicName(namespace, "zone-intersections"), (ms) => output.push(ms));
  const figures = () => Promise.all([processorSeconds(service.pid), processorSeconds(readerPid), roundsOf(service)]);
  const before = await figures();
  const detections = await sender.send(pace, (sent) => {
    state.expect({ topic: "camera-log", ...sent }, sent.acknowledgedAt);
    outputs.expect(sent, sent.acknowledgedAt);
  });
  const after = await figures();
  await state.done();
  await outputs.stop();
  const [oursSeconds = 0, readingSeconds = 0, rounds = 0] = after.map((figure, i) => figure - (before[i] ?? 0));
  const seen = `live state ${timesOf(live)}; outputs ${timesOf(output)}`;
  process.stderr.write(`  ${format(rounds / pace.seconds)} rounds/s; ${seen}\n`);
  return { ours: (oursSeconds * 1e6) / detections, reading: (readingSeconds * 1e6) / detections };
}

const timesOf = (times: readonly number[]): string =>
  `p50 ${format(quantile(times, 0.5))}, p99 ${format(quantile(times, 0.99))} ms`;

const ROUND_COUNT = /^tracklog_round_seconds_count\S* (\d+)/m;

/** Number of rounds that the service has written. */
const roundsOf = async (service: ServiceProcess): Promise<number> =>
  Number(ROUND_COUNT.exec(await metricsOf(service))?.[1] ?? 0);
