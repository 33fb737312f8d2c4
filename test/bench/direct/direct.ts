// Avro camera-log events through our codec, headers and publisher against kafkajs sendBatch of the same prepared
// messages, in batches of the same size one after the other, acks = all. Each side has its own process.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { topicName } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { provision } from "../../../services/cli/provision/provision.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { log } from "../camera-log.ts";
import { type Comparison, compare } from "../measure.ts";
import { startHelper } from "../processes.ts";
import type { BenchStack } from "../stack.ts";

const EVENTS = 60_000;
/** This number of events of about 1.4 kB fills a batch of the publisher, 1 MiB. */
const BATCH = 750;
const ROUNDS = 5;

export async function benchDirect(stack: BenchStack): Promise<Comparison[]> {
  const namespace = `bench_direct_${Date.now()}`;
  const config = loadConfig(provisionEnv, { ...stack.env, TRACKLOG_NAMESPACE: namespace });
  await provision(config, log);
  const topic = topicName(namespace, "camera-log");
  const settings = [topic, String(BATCH)];
  const [ours] = await startHelper<string>("./direct/our-producer.ts", settings, stack.env);
  const [plain] = await startHelper<string>("./direct/plain-producer.ts", settings, stack.env);
  try {
    const comparison = await compare({
      name: "direct",
      unit: "events/s",
      goal: ">= 0.7",
      rounds: ROUNDS,
      ours: () => eventsPerSecond(ours),
      baseline: () => eventsPerSecond(plain),
    });
    return [comparison];
  } finally {
    ours.disconnect();
    plain.disconnect();
  }
}

async function eventsPerSecond(producer: ChildProcess): Promise<number> {
  producer.send(EVENTS);
  const [seconds] = (await once(producer, "message")) as [number];
  return EVENTS / seconds;
}
