// A cluster whose brokers differ: one is away with the only copy of a partition, or slower than another.
import { createRequire } from "node:module";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { ledInAll, offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { createFollower } from "../../../services/common/kafka/read/follow.ts";
import { createGroupReader } from "../../../services/common/kafka/read/group-reader.ts";
import { createPartitionEnds } from "../../../services/common/kafka/read/partition-ends.ts";
import { createTopics } from "../../../services/common/kafka/write/provision.ts";
import { createPublisher } from "../../../services/common/kafka/write/publisher.ts";
import { createLog } from "../../../services/common/log.ts";
import { createCodec, registrySubjectOf } from "../../../services/common/registry/codec.ts";
import { registryCheck } from "../../../services/common/registry/registry-check.ts";
import { until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";
import { hangWhile } from "../strike.ts";
import { type AtTheEnd, joinOutage, type Outage } from "./first-broker-away.ts";
import { sharedCluster } from "./shared-cluster.ts";

const require = createRequire(import.meta.url);
const TAKEN_BYTES = 2_000;
const log = createLog("test", "silent");

/** Before its first commit, each consumer takes another broker for the coordinator of its group. */
function coordinatorsThatMove(onTestFinished: AtTheEnd) {
  interface OffsetManager {
    readonly groupId: string;
    readonly cluster: {
      readonly brokerPool: { readonly brokers: Readonly<Record<string, { readonly nodeId: number }>> };
      findBroker(of: { readonly nodeId: string }): Promise<{ readonly nodeId: number }>;
    };
    coordinator: { readonly nodeId: number };
    commitOffsets(offsets?: object): Promise<void>;
  }
  const { prototype }: { readonly prototype: OffsetManager } = require("kafkajs/src/consumer/offsetManager/index.js");
  const { commitOffsets } = prototype;
  const known = new Set<OffsetManager>();
  prototype.commitOffsets = async function (this: OffsetManager, offsets) {
    if (!known.has(this)) {
      known.add(this);
      const { brokers } = this.cluster.brokerPool;
      const other = Object.keys(brokers).find((nodeId) => Number(nodeId) !== this.coordinator.nodeId);
      if (other === undefined) throw new Error("the cluster has one broker");
      this.coordinator = await this.cluster.findBroker({ nodeId: other });
    }
    await commitOffsets.call(this, offsets);
  };
  onTestFinished(() => {
    prototype.commitOffsets = commitOffsets;
  });
  return { count: () => known.size };
}

async function connected(onTestFinished: AtTheEnd) {
  const kafka = createKafka("test", loadConfig(kafkaEnv, sharedCluster().env), log);
  const admin = kafka.admin();
  await admin.connect();
  onTestFinished(() => admin.disconnect());
  return { kafka, admin };
}

describe("a batch that goes to two brokers, one of which refuses its part while the other is still writing", () => {
  test("a failure is told when no other broker is writing any more, so that what was written is found at once", async ({
    onTestFinished,
  }) => {
    const { kafka, admin } = await connected(onTestFinished);
    const topic = "half";
    // Each of two nodes has one partition; node ids count from 1.
    const replicaAssignment = [1, 2].map((node, partition) => ({ partition, replicas: [node] }));
    const configEntries = [{ name: "max.message.bytes", value: String(TAKEN_BYTES) }];
    await createTopics(admin, [{ topic, replicaAssignment, configEntries }]);
    const publisher = createPublisher({
      ...{ kafka, topics: [topic], log, lingerMs: 0, maxBatchBytes: 1_000_000, maxQueueBytes: 1_000_000 },
      timeoutMs: 3_600_000,
      retries: 0,
    });
    await publisher.start();
    onTestFinished(publisher.stop);
    const message = (partition: number, bytes: number) => {
      return { topic, partition, key: null, value: Buffer.alloc(bytes) };
    };
    // This connects the producer to both. A broker may hear of its new partition a moment later than the others.
    await until(() => publisher.publish([message(0, 1), message(1, 1)]));
    const before = await offsetRanges(admin, topic);
    const slow = sharedCluster().nodes[1]?.pid();
    if (slow === undefined) throw new Error("the node does not run");

    let goesOn = false;
    let reported: Promise<unknown> | undefined;
    await hangWhile(slow, async () => {
      reported = publisher.publish([message(0, 2 * TAKEN_BYTES), message(1, 1)]).catch(() => goesOn);
      // An immediate refusal would come before this.
      await Promise.race([reported, new Promise((resolve) => setTimeout(resolve, 2_000))]);
      goesOn = true;
    });

    expect(await reported).toBe(true);
    const written = [0, 1];
    expect(await offsetRanges(admin, topic)).toEqual(
      before.map((range, i) => ({ ...range, high: range.high + (written[i] ?? 0) })),
    );
  });
});

describe("a group whose coordinator has moved since its member joined", () => {
  test("a commit finds the coordinator", async ({ onTestFinished }) => {
    const { kafka, admin } = await connected(onTestFinished);
    const topic = "committed";
    await createTopics(admin, [{ topic, replicaAssignment: [{ partition: 0, replicas: [1] }] }]);
    const publisher = createPublisher({
      ...{ kafka, topics: [topic], log, lingerMs: 0, maxBatchBytes: 1_000_000, maxQueueBytes: 1_000_000 },
      timeoutMs: 60_000,
    });
    await publisher.start();
    onTestFinished(publisher.stop);
    await until(() => publisher.publish([{ topic, partition: 0, key: null, value: Buffer.from("x") }]));
    const moved = coordinatorsThatMove(onTestFinished);
    const reader = createGroupReader({ kafka, groupId: "moved", topics: [topic], log });
    await reader.start();
    onTestFinished(reader.stop);
    await until(async () => (await reader.next(100)).assigned !== undefined);
    await reader.begin([{ topic, partition: 0, offset: 0 }]);

    // A consumer that begins again, because a broker does not know the new topic yet, commits nothing meanwhile.
    await until(async () => {
      await reader.commit([{ topic, partition: 0, next: 1 }]);
      const [committed] = await admin.fetchOffsets({ groupId: "moved", topics: [topic] });
      return committed?.partitions.some(({ offset }) => offset === "1");
    });

    expect(moved.count()).toBeGreaterThan(0);
  });
});

describe.concurrent("a partition that no broker leads, because the only broker that has it is away", () => {
  test("the ends of the other partitions are known, and its own is when it is back", async ({ onTestFinished }) => {
    const outage = joinOutage(onTestFinished);
    const { kafka, admin } = await connected(onTestFinished);
    const topic = "leaderless";
    // Each node has one partition.
    const replicaAssignment = sharedCluster().nodes.map((_, partition) => ({ partition, replicas: [partition + 1] }));
    await createTopics(admin, [{ topic, replicaAssignment }]);
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic, messages: [0, 1, 1].map((partition) => ({ partition, value: "x" })) });
    await producer.disconnect();
    const ends = createPartitionEnds(kafka, "readers");
    onTestFinished(ends.close);
    const answers = (expected: (number | undefined)[][]) => {
      return until(async () => JSON.stringify([...(await ends.ask(topic))].sort()) === JSON.stringify(expected));
    };
    // A broker may hear of its new partition a moment later than the others.
    await answers([
      [0, 1],
      [1, 2],
      [2, 0],
    ]);

    await outage.begins();
    await answers([
      [0, undefined],
      [1, 2],
      [2, 0],
    ]);
    await outage.ends();

    await until(async () => (await ends.ask(topic)).get(0) === 1);
  });

  interface Led {
    readonly topic: string;
    readonly value: Buffer;
    readonly headers?: Record<string, string>;
    readonly onTestFinished: AtTheEnd;
    readonly outage: Outage;
  }

  /** A topic of one partition, with one message, whose only broker is away. `warned` resolves with the next warning. */
  async function withoutItsBroker({ topic, value, headers = {}, onTestFinished, outage }: Led) {
    const { kafka, admin } = await connected(onTestFinished);
    await createTopics(admin, [{ topic, replicaAssignment: [{ partition: 0, replicas: [1] }] }]);
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic, messages: [{ value, headers }] });
    await producer.disconnect();
    await outage.begins();
    await until(async () => (await ledInAll(admin, [topic])).size === 0);
    const warned = Promise.withResolvers<string>();
    const write = (line: string) => {
      if (line.includes("no broker leads")) warned.resolve("waits");
    };
    return { kafka, log: pino({ level: "warn" }, { write }), warned: warned.promise };
  }

  test("a follower of it has not caught up before the broker is back, and then has its messages", async ({
    onTestFinished,
  }) => {
    const outage = joinOutage(onTestFinished);
    const topic = "followed";
    const options = await withoutItsBroker({ topic, value: Buffer.from("x"), onTestFinished, outage });
    const values: string[] = [];
    const follower = createFollower({
      ...{ kafka: options.kafka, log: options.log, groupPrefix: "follower", topics: [topic] },
      from: () => "beginning",
      onBatch: ({ messages }) => void values.push(...messages.map(({ value }) => String(value))),
    });
    await follower.start();
    onTestFinished(follower.stop);

    const full = follower.caughtUp.then(() => "full");
    expect(await Promise.race([full, options.warned])).toBe("waits");
    await outage.ends();
    await full;

    expect(values).toEqual(["x"]);
  });

  test("the registry is compared with its first messages as soon as the broker is back", async ({ onTestFinished }) => {
    const outage = joinOutage(onTestFinished);
    const topic = "compared";
    const codec = await createCodec(loadConfig(registryEnv, useStack().env));
    const value = codec.encode("ZoneDeleted", {
      zoneId: "z",
      dataSourceId: "d",
      deletedAt: 0,
      movedTo: null,
      ifUpdatedAt: null,
    });
    const headers = { ce_type: registrySubjectOf("TokenChanged") };
    const options = await withoutItsBroker({ topic, value, headers, onTestFinished, outage });

    const checked = registryCheck({ ...options, codec, topic })
      .start()
      .then(() => "skipped", String);
    expect(await Promise.race([checked, options.warned])).toBe("waits");
    await outage.ends();

    expect(await checked).toMatch(/the registry has lost its data/);
  });
});
