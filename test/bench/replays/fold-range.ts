// A replay of a whole log by event time, without a receiver: how fast it is read and folded, against reading the same
// topic and decoding it. The memory is that of this process, in a replay of a tenth of the log and of all of it.
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import { createGeofences } from "../../../projections/live/partition.ts";
import type { Segment } from "../../../projections/replay/session.ts";
import { createSignalListener } from "../../../projections/webhooks/signals/signal-listener.ts";
import { type Subscribed, subscribersOf } from "../../../projections/webhooks/signals/subscribers.ts";
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { foldEnv, foldSettings } from "../../../services/common/fold-config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createPartitionOf } from "../../../services/common/kafka/partition-of.ts";
import { createLogFetcher } from "../../../services/common/kafka/read/fetch-log.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { createHistoryBudget } from "../../../services/recorded/history-budget.ts";
import { type ReadDeps, storedSegments } from "../../../services/recorded/read-segment.ts";
import { FETCH_BYTES } from "../../../services/recorded/recorded.ts";
import { messagesOf } from "../../../services/recorded/steps.ts";
import { noFilters } from "../../support/scenes/no-filters.ts";
import { CAMERAS, cameraId, DETECTIONS_PER_EVENT, log, NO_EXPIRIES } from "../camera-log.ts";
import { parameter } from "../config.ts";
import { decodeAll, type Ends, recordLog } from "../decode-log.ts";
import { type Comparison, compare } from "../measure.ts";
import type { BenchStack } from "../stack.ts";

const ROUNDS = 3;
const MIB = 1024 * 1024;
const STEPS_BETWEEN = 20_000;

const common: Subscribed = {
  ...{ key: "bench", mode: "streaming", signalType: "zone_state", filters: noFilters, zoneEmitMode: "composition" },
  ...{ heartbeatSeconds: 3_600, pixelProximityThreshold: 50, geoProximityThresholdM: 5, createdAt: 0 },
};

/** Signals are texts of some kB, so their number decides the pace. */
const subscriptions: Readonly<Record<string, { readonly subscribed: Subscribed; readonly goal: string }>> = {
  "no signals": {
    subscribed: { ...common, signalType: "track_state", filters: { ...noFilters, tags: ["nothing"] } },
    goal: ">= 0.5",
  },
  "compositions of zones": { subscribed: common, goal: "" },
  "a signal for each detection": {
    subscribed: { ...common, signalType: "track_state", zoneEmitMode: "all" },
    goal: "",
  },
};

export async function benchReplayedRange(stack: BenchStack): Promise<Comparison[]> {
  const events = parameter("BENCH_REPLAYS_EVENTS", 150_000);
  const detections = events * DETECTIONS_PER_EVENT;
  const namespace = `bench_range_${Date.now()}`;
  const { env, topic, ends } = await recordLog(stack.env, namespace, events);
  const comparisons: Comparison[] = [];
  for (const [name, { subscribed, goal }] of Object.entries(subscriptions)) {
    const group = (round: number) => `${namespace}.${comparisons.length}.${round}`;
    const contest = { name: `replayed range, ${name}`, unit: "detections/s", goal, rounds: ROUNDS };
    comparisons.push(
      await compare({
        ...contest,
        ours: async () => detections / (await replay({ env, topic, ends, subscribed })),
        baseline: async (round) => detections / (await decodeAll(env, topic, group(round), ends)),
      }),
    );
  }
  const tenth = new Map([...ends].map(([partition, end]) => [partition, Math.floor(end / 10)]));
  for (const [part, upTo] of Object.entries({ "a tenth": tenth, all: ends })) {
    const mib = await heldBy({ env, topic, ends: upTo, subscribed: common });
    process.stderr.write(`    memory in use for ${part} of the log: ${mib.toFixed(1)} MiB\n`);
  }
  return comparisons;
}

interface Replayed {
  readonly env: Readonly<Record<string, string>>;
  readonly topic: string;
  readonly ends: Ends;
  readonly subscribed: Subscribed;
}

/** The most memory that is in use during the replay, above that before it. Needs --expose-gc to be exact. */
async function heldBy(replayed: Replayed): Promise<number> {
  const collect: (() => void) | undefined = globalThis.gc;
  const inUse = () => {
    collect?.();
    return process.memoryUsage().heapUsed / MIB;
  };
  const before = inUse();
  let most = 0;
  let steps = 0;
  await replay(replayed, () => {
    if (steps++ % STEPS_BETWEEN === 0) most = Math.max(most, inUse() - before);
  });
  return most;
}

/** Resolves with the seconds from the first fetch to the last step. */
async function replay({ env, topic, ends, subscribed }: Replayed, onStep = () => {}): Promise<number> {
  const kafka = createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log);
  const fetcher = createLogFetcher(kafka, FETCH_BYTES);
  await fetcher.start();
  // The history has none of these tracks.
  const history = { query: async () => ({ json: async () => [] }) } as unknown as QueryClient;
  const config = loadConfig(foldEnv, { ...env, ...NO_EXPIRIES });
  const subscribers = subscribersOf([subscribed]);
  const settings = foldSettings(config);
  const deps: ReadDeps = {
    ...{ fetcher, topic, history, historyBudget: createHistoryBudget(MIB), warmUpMs: 0, log, logId: "" },
    ...{ trackTtlMs: settings.trackTtlMs, forgetAfterMs: settings.forgetAfterMs },
    ...{ bounds: eventBoundsOf(config), highs: [...ends.values()] },
    codec: await createCodec(loadConfig(registryEnv, env)),
    zones: { topic, partition: 0, begin: 0, end: 0 },
    signal: new AbortController().signal,
    throttle: async () => {},
    settings: { ...settings, geofences: createGeofences(), listener: createSignalListener({ of: () => subscribers }) },
  };
  const startedAt = performance.now();
  const plan = planOf(ends, topic);
  for await (const { steps } of messagesOf(plan, {
    prepare: storedSegments(deps),
    plannedAt: 0,
    throttle: deps.throttle,
  })) {
    for (const { detectedAt } of steps) if (detectedAt !== null) onStep();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  await fetcher.stop();
  return seconds;
}

function planOf(ends: Ends, topic: string): Segment[] {
  const cameras = Array.from({ length: CAMERAS }, (_, n) => cameraId(n));
  const count = Math.max(...ends.keys()) + 1;
  const partitionOf = createPartitionOf(new Map([[topic, count]]));
  return [...ends].map(([partition, end]) => ({
    ...{ partition, log: "topic", begin: 0, end, beginAt: 0, lastAt: Number.MAX_SAFE_INTEGER },
    asked: { kind: "window", from: 0, to: Number.MAX_SAFE_INTEGER },
    dataSourceIds: cameras.filter((id) => partitionOf(topic, id) === partition),
    ...{ recorded: [], eventFrom: 0, eventTo: 0 },
  }));
}
