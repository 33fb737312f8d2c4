// 2 000 detections/s through GraphQL: the time from the acknowledgement of a mutation until a subscriber has it,
// until it is in the live state in Redis, and until a query returns it. The baseline is the time of a message through
// the same broker with plain kafkajs.
import { parsePositions } from "../../../services/api/read/position.ts";
import { type LaunchedSystem, launchSystem, type System } from "../../support/running/launch-system.ts";
import { type Camera, createCameras, type Frame, pace, sendFrame } from "../camera-load.ts";
import { parameter } from "../config.ts";
import { type Comparison, quantile } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { startBrokerProbe } from "./broker-probe.ts";
import { observeHistory, observeLiveState } from "./observe.ts";
import { observeSubscription } from "./subscription.ts";

const CAMERAS = 20;
const PER_FRAME = 10;
/** Compilers and caches warm up, and topics get their leaders. */
const WARM_UP_SECONDS = 5;

/** Milliseconds, one for each mutation or message. */
interface Latencies {
  readonly subscriber: number[];
  readonly redis: number[];
  readonly queryable: number[];
}

export async function benchLatency(stack: BenchStack): Promise<Comparison[]> {
  const seconds = parameter("BENCH_LATENCY_SECONDS", 60);
  const detectionsPerSecond = parameter("BENCH_LATENCY_RATE", 2_000);
  const launched: LaunchedSystem = await launchSystem(stack.env, `bench_latency_${Date.now()}`);
  const { system } = launched;
  try {
    const cameras = await createCameras(system.client, CAMERAS, PER_FRAME);
    const framesPerSecond = detectionsPerSecond / PER_FRAME;
    await measured(system, cameras, { framesPerSecond, seconds: WARM_UP_SECONDS });
    const { latencies, broker } = await measured(system, cameras, { framesPerSecond, seconds });
    return [
      ...rows("subscriber", latencies.subscriber, broker, "p99 <= baseline + 50"),
      ...rows("live state in Redis", latencies.redis, broker, "p99 <= 100"),
      ...rows("queryable in ClickHouse", latencies.queryable, broker, "p99 <= 1 000"),
    ];
  } finally {
    await launched.stop();
  }
}

async function measured(
  system: System,
  cameras: readonly Camera[],
  load: { readonly framesPerSecond: number; readonly seconds: number },
): Promise<{ readonly latencies: Latencies; readonly broker: readonly number[] }> {
  const latencies: Latencies = { subscriber: [], redis: [], queryable: [] };
  const probe = await startBrokerProbe(system.env, `${system.namespace}.probe_${load.seconds}`);
  const subscription = await observeSubscription(system, (ms) => latencies.subscriber.push(ms));
  const redis = await observeLiveState(system, (ms) => latencies.redis.push(ms));
  const history = observeHistory(system, (ms) => latencies.queryable.push(ms));

  function acknowledged({ answer }: Frame): void {
    const at = performance.now();
    const position = answer.extensions?.position;
    if (answer.data == null || position === undefined) throw new Error(JSON.stringify(answer.errors));
    for (const where of parsePositions(position)) for (const watched of [redis, history]) watched.expect(where, at);
    subscription.acknowledged(answer.data.createDetections.at(-1)?.id ?? "", at);
  }

  await pace(cameras, load, async (camera) => acknowledged(await sendFrame(system.client, camera)));
  await Promise.all([subscription.done(), redis.done(), history.done()]);
  return { latencies, broker: await probe.stop() };
}

function rows(name: string, ours: readonly number[], broker: readonly number[], goal: string): Comparison[] {
  return [0.5, 0.99].map((q) => {
    const [a, b] = [quantile(ours, q), quantile(broker, q)];
    return {
      name: `latency, ${name}, p${q * 100}`,
      unit: "ms",
      ours: a,
      baseline: b,
      ratio: a / b,
      goal: q > 0.5 ? goal : "",
    };
  });
}
