// Avro camera-log events through our codec, headers and publisher, one call per event as the API does it, against kafkajs
// sendBatch of the same messages made beforehand; batches of the same size one after the other, acks = all.
import { randomUUID } from "node:crypto";
import { type Message, Partitioners } from "kafkajs";
import { type Codec, createCodec } from "../../../schemas/codec.ts";
import { headersOf } from "../../../schemas/headers.ts";
import { topicName } from "../../../schemas/topics.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import type { OutMessage, Publisher } from "../../../services/common/kafka/publisher.ts";
import { prepareSystem } from "../../support/launch-system.ts";
import { createBenchPublisher, event, log } from "../camera-log.ts";
import { type Comparison, compare } from "../measure.ts";
import type { BenchStack } from "../stack.ts";

const EVENTS = 30_000;
/** Events made beforehand and produced again and again. */
const SAMPLES = 10_000;
/** What fills a batch of the publisher: 1 MiB of events of about 1.4 kB. */
const BATCH = 750;
const ROUNDS = 5;

export async function benchDirect(stack: BenchStack): Promise<Comparison[]> {
  const { env, namespace } = await prepareSystem(stack.env, `bench_direct_${Date.now()}`);
  const topic = topicName(namespace, "camera-log");
  const kafka = createKafka("tracklog-bench", (env["KAFKA_BROKERS"] ?? "").split(","), log);
  const codec = await createCodec(env["SCHEMA_REGISTRY_URL"] ?? "");
  const publisher = createBenchPublisher(kafka, topic);
  const producer = kafka.producer({ maxInFlightRequests: 1, createPartitioner: Partitioners.DefaultPartitioner });
  const events = Array.from({ length: SAMPLES }, (_, n) => event(n));
  await Promise.all([publisher.start(), producer.connect()]);
  const prepared = events.map((each): Message => {
    const { key, value, headers } = toMessage(codec, topic, each);
    const partition = publisher.partitionOf(topic, key);
    return { key, value, partition, ...(headers === undefined ? {} : { headers }) };
  });
  try {
    const comparison = await compare({
      name: "direct",
      unit: "events/s",
      goal: ">= 0.7",
      rounds: ROUNDS,
      ours: async () => EVENTS / (await seconds(() => publishAll(publisher, codec, topic, events))),
      baseline: async () =>
        EVENTS /
        (await seconds(async () => {
          for (let first = 0; first < EVENTS; first += BATCH) {
            const messages = Array.from({ length: Math.min(BATCH, EVENTS - first) }, (_, i) => at(prepared, first + i));
            await producer.sendBatch({ acks: -1, topicMessages: [{ topic, messages }] });
          }
        })),
    });
    return [comparison];
  } finally {
    await Promise.all([publisher.stop(), producer.disconnect()]);
  }
}

/** So many are on their way that one batch fills while another is sent. */
async function publishAll(publisher: Publisher, codec: Codec, topic: string, events: readonly Event[]): Promise<void> {
  let sent = 0;
  const worker = async () => {
    while (sent < EVENTS) await publisher.publish([toMessage(codec, topic, at(events, sent++))]);
  };
  await Promise.all(Array.from({ length: 3 * BATCH }, worker));
}

type Event = ReturnType<typeof event>;

function toMessage(codec: Codec, topic: string, each: Event): OutMessage {
  return {
    topic,
    key: each.dataSourceId,
    value: codec.encode("DetectionsRecorded", each),
    headers: headersOf({
      id: randomUUID(),
      type: "DetectionsRecorded",
      source: "tracklog/api",
      timeMs: Date.now(),
    }),
  };
}

function at<T>(items: readonly T[], n: number): T {
  const item = items[n % items.length];
  if (item === undefined) throw new Error("nothing to produce");
  return item;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}
