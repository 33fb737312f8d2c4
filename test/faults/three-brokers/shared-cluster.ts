// One cluster for all tests that take brokers away. A broker costs seven seconds of processor time to start, more than
// most of these tests need themselves. Each test leaves the cluster whole.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll } from "vitest";
import { type KafkaCluster, startKafkaCluster } from "../../support/running/kafka-cluster.ts";
import { scratchDir } from "../../support/running/scratch-dir.ts";

let dir: string;
let started: KafkaCluster | undefined;

beforeAll(async () => {
  dir = await scratchDir("tracklog-brokers-");
  started = await startKafkaCluster(dir);
});

afterAll(async () => {
  await started?.stop();
  await rm(dir, { recursive: true, force: true });
});

export function sharedCluster(): KafkaCluster {
  if (started === undefined) throw new Error("the cluster starts before the first test");
  return started;
}
