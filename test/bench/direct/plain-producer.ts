// The baseline: unmodified kafkajs. It needs a separate process, because ours puts a quicker encoder into kafkajs for
// the whole process. Its arguments are the topic and the size of a batch. It answers a message with a number of
// events with the seconds that they took.
import { Kafka, logLevel, Partitioners } from "kafkajs";
import { z } from "zod";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { connectionOf } from "../../../services/common/kafka/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { event } from "../camera-log.ts";
import { toMessage } from "./message.ts";

const [topic = "", batch = "1"] = process.argv.slice(2);
const config = loadConfig(z.object({ ...kafkaEnv.shape, ...registryEnv.shape }), process.env);
/** Prepared beforehand and sent again and again. */
const BATCHES = 16;

const codec = await createCodec(config);
const batches = Array.from({ length: BATCHES }, (_, b) =>
  Array.from({ length: Number(batch) }, (__, n) => toMessage(codec, event(b * Number(batch) + n))),
);
const kafka = new Kafka({ ...connectionOf(config), logLevel: logLevel.ERROR });
const producer = kafka.producer({ maxInFlightRequests: 1, createPartitioner: Partitioners.DefaultPartitioner });
await producer.connect();

process.on("message", async (events: number) => {
  const startedAt = performance.now();
  let sent = 0;
  for (let n = 0; sent < events; n++) {
    const messages = batches[n % BATCHES]?.slice(0, events - sent) ?? [];
    await producer.sendBatch({ acks: -1, topicMessages: [{ topic, messages }] });
    sent += messages.length;
  }
  process.send?.((performance.now() - startedAt) / 1_000);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
