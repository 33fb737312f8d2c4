// A batch that goes to two brokers, one of which refuses its part while the other is still writing.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../services/common/config.ts";
import { createKafka } from "../../services/common/kafka/client.ts";
import { offsetRanges } from "../../services/common/kafka/offsets.ts";
import { createPublisher } from "../../services/common/kafka/publisher.ts";
import { createLog } from "../../services/common/log.ts";
import { type KafkaNode, startKafkaCluster } from "../support/kafka-cluster.ts";

const TOPIC = "half";
const TAKEN_BYTES = 2_000;
const log = createLog("test", "silent");

test("a failure is told when no other broker is writing any more, so that what was written is found at once", async () => {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-half-"));
  const cluster = await startKafkaCluster(dir);
  onTestFinished(async () => {
    await cluster.stop();
    await rm(dir, { recursive: true, force: true });
  });
  const kafka = createKafka("test", loadConfig(kafkaEnv, cluster.env), log);
  const admin = kafka.admin();
  await admin.connect();
  // Each of two nodes has one partition; node ids count from 1.
  const replicaAssignment = [1, 2].map((node, partition) => ({ partition, replicas: [node] }));
  const configEntries = [{ name: "max.message.bytes", value: String(TAKEN_BYTES) }];
  await admin.createTopics({ topics: [{ topic: TOPIC, replicaAssignment, configEntries }] });
  const publisher = createPublisher({
    ...{ kafka, topics: [TOPIC], log, lingerMs: 0, maxBatchBytes: 1_000_000, maxQueueBytes: 1_000_000 },
    timeoutMs: 3_600_000,
    retries: 0,
  });
  await publisher.start();
  const message = (partition: number, bytes: number) => {
    return { topic: TOPIC, partition, key: null, value: Buffer.alloc(bytes) };
  };
  // This connects the producer to both.
  await publisher.publish([message(0, 1), message(1, 1)]);
  const slow = cluster.nodes[1] as KafkaNode;
  signal(slow, "SIGSTOP");

  let goesOn = false;
  const told = publisher.publish([message(0, 2 * TAKEN_BYTES), message(1, 1)]).catch(() => goesOn);
  // An immediate refusal would come before this.
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 2_000))]);
  goesOn = true;
  signal(slow, "SIGCONT");

  expect(await told).toBe(true);
  expect(await offsetRanges(admin, TOPIC)).toMatchObject([{ high: 1 }, { high: 2 }]);
  await Promise.all([publisher.stop(), admin.disconnect()]);
});

function signal(node: KafkaNode, name: NodeJS.Signals): void {
  const pid = node.pid();
  if (pid === undefined) throw new Error("the node does not run");
  process.kill(pid, name);
}
