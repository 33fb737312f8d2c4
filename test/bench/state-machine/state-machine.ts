// The real state machine from a new group and an empty Redis until Redis holds the end of the camera-log, against
// reading the same topic through the same group reader and decoding it. Every round of ours has separate topics for
// its outputs and separate keys in Redis; all rounds read the same camera-log.
import { setFlagsFromString } from "node:v8";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { provision } from "../../../services/cli/provision/provision.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { assembleStateMachine } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { DETECTIONS_PER_EVENT, log, NO_EXPIRIES } from "../camera-log.ts";
import { decodeAll, type Ends, recordLog } from "../decode-log.ts";
import { type Comparison, compareAll } from "../measure.ts";
import type { BenchStack } from "../stack.ts";

const EVENTS = 150_000;
const DETECTIONS = EVENTS * DETECTIONS_PER_EVENT;
const ROUNDS = 3;
const POLL_EVERY_MS = 20;

export async function benchStateMachine(stack: BenchStack): Promise<Comparison[]> {
  // The service has these flags, too.
  for (const flag of ["--no-parallel-scavenge", "--no-allocation-site-pretenuring"]) setFlagsFromString(flag);
  const namespace = `bench_sm_${Date.now()}`;
  const { env, topic: cameraLog, ends } = await recordLog(stack.env, namespace, EVENTS);
  return compareAll({
    figures: {
      rate: { name: "state-machine", unit: "detections/s", goal: ">= 0.3" },
      us: { name: "state-machine, processor time", unit: "us a detection", goal: "" },
    },
    rounds: ROUNDS,
    ours: async (round) => {
      const own = { ...env, TRACKLOG_NAMESPACE: `${namespace}_${round}` };
      await provision(loadConfig(provisionEnv, own), log);
      return figuresOf(() => fold(own, cameraLog, ends));
    },
    baseline: (round) => figuresOf(() => decodeAll(env, cameraLog, `${namespace}.baseline.${round}`, ends)),
  });
}

/** `run` resolves with the seconds that count. All of its processor time counts, which other load changes less. */
async function figuresOf(run: () => Promise<number>) {
  const before = process.cpuUsage();
  const seconds = await run();
  const { user, system } = process.cpuUsage(before);
  return { rate: DETECTIONS / seconds, us: (user + system) / DETECTIONS };
}

type Env = Readonly<Record<string, string>>;

/** Seconds from the start of the parts to the last position in Redis. */
async function fold(env: Env, cameraLog: string, ends: Ends): Promise<number> {
  const config = loadConfig(stateMachineEnv, { ...env, ...NO_EXPIRIES });
  const codec = await createCodec(config);
  const parts = assembleStateMachine({ config, codec, log, cameraLog });
  const redis = createRedis(config, log);
  await redis.start();
  const stop = Promise.withResolvers<void>();
  const startedAt = performance.now();
  const running = run(parts, stop.promise, log);
  const isDone = async () => {
    const keys = [...ends.keys()].map((partition) => partitionKeys(config.TRACKLOG_NAMESPACE, partition).position);
    const positions = await Promise.all(keys.map((key) => redis.client.hget(key, "next")));
    return [...ends.values()].every((end, i) => Number(positions[i] ?? 0) >= end);
  };
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  const seconds = (performance.now() - startedAt) / 1_000;
  stop.resolve();
  await running;
  await redis.stop();
  return seconds;
}
