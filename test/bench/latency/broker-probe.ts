// The time of a message from send to handler through the broker alone: plain kafkajs, acks = all, a separate topic.
import { randomUUID } from "node:crypto";
import { Partitioners } from "kafkajs";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createTopics } from "../../../services/common/kafka/write/provision.ts";
import { until } from "../../support/running/processes.ts";
import { log } from "../camera-log.ts";

export interface BrokerProbe {
  /** Milliseconds of each message. */
  stop(): Promise<readonly number[]>;
}

const EVERY_MS = 20;
const BYTES = 1_400;

export async function startBrokerProbe(env: Readonly<Record<string, string>>, topic: string): Promise<BrokerProbe> {
  const kafka = createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log);
  const admin = kafka.admin();
  await admin.connect();
  await createTopics(admin, [{ topic, numPartitions: 1 }]);
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  const groupId = `${topic}.${randomUUID()}`;
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: EVERY_MS });
  const times: number[] = [];
  let seen = 0;
  await Promise.all([producer.connect(), consumer.connect()]);
  await consumer.subscribe({ topic });
  await consumer.run({
    eachMessage: async ({ message }) => {
      seen += 1;
      const sentAt = Number(message.key?.toString());
      if (sentAt > 0) times.push(performance.now() - sentAt);
    },
  });
  const value = Buffer.alloc(BYTES, "x");
  const send = (key: string) => producer.send({ topic, acks: -1, messages: [{ key, value }] });
  await until(async () => {
    await send("0");
    return seen > 0;
  });
  let running = true;
  const loop = (async () => {
    while (running) {
      await send(String(performance.now()));
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  return {
    async stop() {
      running = false;
      await loop;
      await Promise.all([producer.disconnect(), consumer.disconnect()]);
      await admin.deleteGroups([groupId]).catch(() => undefined);
      await admin.disconnect();
      return times;
    },
  };
}
