// A partition that no broker leads, because the only broker that has it is away.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../services/common/config.ts";
import { createKafka } from "../../services/common/kafka/client.ts";
import { createPartitionEnds } from "../../services/common/kafka/partition-ends.ts";
import { createLog } from "../../services/common/log.ts";
import { startKafkaCluster } from "../support/kafka-cluster.ts";
import { until } from "../support/processes.ts";

const TOPIC = "leaderless";
const log = createLog("test", "silent");

test("the ends of the other partitions are known, and its own is when it is back", async () => {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-leaderless-"));
  const cluster = await startKafkaCluster(dir);
  onTestFinished(async () => {
    await cluster.stop();
    await rm(dir, { recursive: true, force: true });
  });
  const kafka = createKafka("test", loadConfig(kafkaEnv, cluster.env), log);
  const [admin, producer] = [kafka.admin(), kafka.producer()];
  await Promise.all([admin.connect(), producer.connect()]);
  // Each node has one partition; node ids count from 1.
  const replicaAssignment = cluster.nodes.map((_, partition) => ({ partition, replicas: [partition + 1] }));
  await admin.createTopics({ topics: [{ topic: TOPIC, replicaAssignment }] });
  await producer.send({ topic: TOPIC, messages: [0, 1, 1].map((partition) => ({ partition, value: "x" })) });
  await Promise.all([admin.disconnect(), producer.disconnect()]);
  const ends = createPartitionEnds(kafka, "readers");
  onTestFinished(ends.close);
  const asked = async () => [...(await ends.ask(TOPIC))].sort();
  expect(await asked()).toEqual([
    [0, 1],
    [1, 2],
    [2, 0],
  ]);

  await cluster.nodes[0]?.halt();
  const without = [
    [0, undefined],
    [1, 2],
    [2, 0],
  ];
  await until(async () => JSON.stringify(await asked()) === JSON.stringify(without));
  await cluster.nodes[0]?.start();

  await until(async () => (await ends.ask(TOPIC)).get(0) === 1);
});
