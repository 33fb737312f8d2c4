// Avro camera-log events through our codec, headers and publisher, one call per event as the API does it, against kafkajs
// sendBatch of the same messages made beforehand; batches of the same size one after the other, acks = all.
import { once } from "node:events";
import { type Codec, createCodec } from "../../../schemas/codec.ts";
import { topicName } from "../../../schemas/topics.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import type { Publisher } from "../../../services/common/kafka/publisher.ts";
import { provisionEnv } from "../../../services/provision/config.ts";
import { provision } from "../../../services/provision/provision.ts";
import { createBenchPublisher, event, log } from "../camera-log.ts";
import { type Comparison, compare } from "../measure.ts";
import { startHelper } from "../processes.ts";
import type { BenchStack } from "../stack.ts";
import { toMessage } from "./message.ts";

const EVENTS = 60_000;
/** What fills a batch of the publisher: 1 MiB of events of about 1.4 kB. */
const BATCH = 750;
/** Made beforehand; encoding is part of the work. */
const SAMPLES = 16 * BATCH;
const ROUNDS = 5;

export async function benchDirect(stack: BenchStack): Promise<Comparison[]> {
  const namespace = `bench_direct_${Date.now()}`;
  const config = loadConfig(provisionEnv, { ...stack.env, TRACKLOG_NAMESPACE: namespace });
  await provision(config, log);
  const topic = topicName(namespace, "camera-log");
  const codec = await createCodec(config.SCHEMA_REGISTRY_URL);
  const publisher = createBenchPublisher(createKafka("tracklog-bench", config.KAFKA_BROKERS, log), topic);
  await publisher.start();
  const events = Array.from({ length: SAMPLES }, (_, n) => event(n));
  const settings = [config.KAFKA_BROKERS.join(), config.SCHEMA_REGISTRY_URL, topic, String(BATCH)];
  const [plain] = await startHelper<string>("./direct/plain-producer.ts", settings);
  try {
    const comparison = await compare({
      name: "direct",
      unit: "events/s",
      goal: ">= 0.7",
      rounds: ROUNDS,
      ours: async () => EVENTS / (await publishAll(publisher, codec, topic, events)),
      baseline: async () => {
        plain.send(EVENTS);
        const [seconds] = (await once(plain, "message")) as [number];
        return EVENTS / seconds;
      },
    });
    return [comparison];
  } finally {
    plain.disconnect();
    await publisher.stop();
  }
}

type Event = ReturnType<typeof event>;

/** Seconds. So many are on their way that one batch fills while another is sent. */
async function publishAll(publisher: Publisher, codec: Codec, topic: string, events: readonly Event[]) {
  const startedAt = performance.now();
  let sent = 0;
  const worker = async () => {
    while (sent < EVENTS) {
      const next = events[sent++ % events.length];
      if (next !== undefined) await publisher.publish([{ topic, ...toMessage(codec, next) }]);
    }
  };
  await Promise.all(Array.from({ length: 3 * BATCH }, worker));
  return (performance.now() - startedAt) / 1_000;
}
