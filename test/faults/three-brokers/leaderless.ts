// Three brokers with one copy of each partition: while one broker is away nobody leads its partitions, and everything
// goes on with the others.
import { randomBytes } from "node:crypto";
import type { ITopicConfig } from "kafkajs";
import { expect, test } from "vitest";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { groupName, type NamedTopic, topicName, topicsOf } from "../../../schemas/topics.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { ledInAll } from "../../../services/common/kafka/offsets.ts";
import { createPartitionOf } from "../../../services/common/kafka/partition-of.ts";
import { readAll } from "../../../services/common/kafka/read/read-some.ts";
import { createTopics } from "../../../services/common/kafka/write/provision.ts";
import { createPublisher } from "../../../services/common/kafka/write/publisher.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { assembleStateMachine } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { assembleWebhooks } from "../../../services/webhooks/assemble.ts";
import { webhooksEnv } from "../../../services/webhooks/config.ts";
import { raisedSignals } from "../../support/oracles/expected-signals.ts";
import { NODES } from "../../support/running/kafka-cluster.ts";
import { until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";
import { created, OUTSIDE, seen, T0 } from "../../unit/projections/live/camera.ts";
import { subscriptionSet } from "../../unit/projections/webhooks/subscriptions/subscription.ts";
import { type AtTheEnd, joinOutage } from "./first-broker-away.ts";
import { sharedCluster } from "./shared-cluster.ts";

const log = createLog("test", process.env["LOG_LEVEL"] ?? "silent");
const LATER = { timeoutMs: 120_000 };

/** Partition n is on node n + 1, which alone has it. A topic of one partition is on a node that stays. */
const onOneNode = ({ name, partitions }: NamedTopic): ITopicConfig => ({
  topic: name,
  replicaAssignment: Array.from({ length: partitions }, (_, partition) => ({
    partition,
    replicas: [partitions === 1 ? 2 : partition + 1],
  })),
  configEntries: [
    { name: "message.timestamp.type", value: "LogAppendTime" },
    { name: "min.insync.replicas", value: "1" },
  ],
});

async function onSharedCluster(onTestFinished: AtTheEnd) {
  const { env, uniqueName } = useStack();
  const namespace = uniqueName("leaderless");
  const settings = { TRACKLOG_NAMESPACE: namespace, CAMERA_PARTITIONS: String(NODES), TOPIC_REPLICATION_FACTOR: "1" };
  const variables = { ...env, ...sharedCluster().env, ...settings };
  const config = loadConfig(stateMachineEnv, variables);
  const kafka = createKafka("test", config, log);
  const admin = kafka.admin();
  await admin.connect();
  onTestFinished(() => admin.disconnect());
  await createTopics(admin, topicsOf(namespace, NODES, config.CAMERA_LOG_RETENTION_MS).map(onOneNode));
  return { config, variables, kafka, admin, namespace, topic: topicName(namespace, "camera-log") };
}

/** A key in each partition. */
function keysOf(topic: string, prefix: string): string[] {
  const partitionOf = createPartitionOf(new Map([[topic, NODES]]));
  const names = Array.from({ length: 100 }, (_, i) => `${prefix}-${i}`);
  return Array.from({ length: NODES }, (_, partition) => {
    const found = names.find((name) => partitionOf(topic, name) === partition);
    if (found === undefined) throw new Error(`no name for partition ${partition}`);
    return found;
  });
}

/**
 * The signals of subscription n are in partition n of their topic. The signals of subscriptions 0 and 1 are about the
 * camera in partition 1, those of subscription 2 about the camera in partition 2.
 */
function subscriptionsOf(topic: string, cameras: readonly string[]): SubscriptionSet[] {
  const sources = [cameras[1], cameras[1], cameras[2]];
  return keysOf(topic, "subscription").map((key, i) => {
    const filters = { dataSourceIds: [sources[i] ?? ""] };
    return subscriptionSet({ key, filters, createdAt: Date.now() }).event;
  });
}

test.concurrent("while one broker is away with the only copy of its partitions, the others are written, taken over and folded; a camera with signals for one of its partitions waits and raises none twice", async ({
  onTestFinished,
}) => {
  const outage = joinOutage(onTestFinished);
  const { config, kafka, namespace, topic } = await onSharedCluster(onTestFinished);
  const codec = await createCodec(config);
  const cameras = keysOf(topic, "camera");
  const subscriptionsTopic = topicName(namespace, "subscriptions");
  const signalsTopic = topicName(namespace, "signals");
  const subscriptions = subscriptionsOf(signalsTopic, cameras);
  const limits = { lingerMs: 0, maxBatchBytes: 1_000_000, maxQueueBytes: 1_000_000, timeoutMs: 60_000 };
  const publisher = createPublisher({ ...limits, kafka, topics: [topic, subscriptionsTopic], log });
  await publisher.start();
  onTestFinished(publisher.stop);
  await publisher.publish(
    subscriptions.map((event) => ({
      topic: subscriptionsTopic,
      key: event.key,
      value: codec.encode("SubscriptionSet", event),
    })),
  );
  /** Offset of the newest message in each partition. */
  const newest = cameras.map(() => -1);
  let tracks = 0;
  /** One track of each camera at once; whether each was acknowledged. */
  const write = async () => {
    tracks += 1;
    const answers = await Promise.allSettled(
      cameras.map(async (dataSourceId, i) => {
        const trackId = `${dataSourceId}-${tracks}`;
        const detections = [seen(0, OUTSIDE, { trackId })];
        const { type, event } = created({ dataSourceId, trackId, startTime: T0, detections });
        const value = codec.encode(type, event as never);
        for (const { offset } of await publisher.publish([{ topic, key: dataSourceId, value }])) newest[i] = offset;
      }),
    );
    return answers.map(({ status }) => status === "fulfilled");
  };
  const redis = createRedis(config, log);
  await redis.start();
  onTestFinished(redis.stop);
  /** Whether live state has all that was acknowledged, by partition. */
  const folded = () =>
    Promise.all(
      newest.map(async (offset, partition) => {
        const { position } = partitionKeys(config.TRACKLOG_NAMESPACE, partition);
        return Number((await redis.client.hget(position, "next")) ?? 0) > offset;
      }),
    );
  expect(await write()).toEqual([true, true, true]);

  await outage.begins();
  await until(async () => (await write()).join() === "false,true,true", LATER);
  const stop = Promise.withResolvers<void>();
  const machine = run(assembleStateMachine({ config, codec, log }), stop.promise, log);
  onTestFinished(async () => {
    stop.resolve();
    await machine;
  });
  await Promise.race([machine, until(async () => (await folded()).join() === "false,false,true", LATER)]);
  const signalsOf = async (partitions?: readonly number[]) =>
    raisedSignals(
      await readAll({ kafka, groupPrefix: namespace, topic: signalsTopic, log, ...(partitions && { partitions }) }),
      codec,
    );
  const keysIn = (signals: readonly SignalRaised[]) => new Set(signals.map(({ subscriptionId }) => subscriptionId));
  // Nothing of camera 1 is written: a repetition would raise it again.
  expect(keysIn(await signalsOf([1, 2]))).toEqual(new Set([subscriptions[2]?.key]));

  await outage.ends();
  await until(async () => (await write()).every((isWritten) => isWritten), LATER);
  await until(async () => (await folded()).every((isFolded) => isFolded), LATER);
  expect(keysIn(await signalsOf())).toEqual(new Set(subscriptions.map(({ key }) => key)));
});

test.concurrent("while a partition of the chronicles has no leader, webhooks that start read the others, and that one once it is led", async ({
  onTestFinished,
}) => {
  const outage = joinOutage(onTestFinished);
  const { config, variables, kafka, admin, namespace } = await onSharedCluster(onTestFinished);
  const codec = await createCodec(config);
  const topic = topicName(namespace, "chronicles");
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  onTestFinished(() => producer.disconnect());
  const groupId = groupName(namespace, "chronicle-signals");
  /**
   * Sends an unreadable message to each of the given partitions. Resolves with whether the service has read a message
   * of each partition; it reads none from before its start.
   */
  const readAfter = async (partitions: readonly number[]) => {
    const messages = partitions.map((partition) => ({ partition, value: "not readable" }));
    await producer.send({ topic, messages });
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    return found?.partitions.map(({ offset }) => Number(offset) > 0).join();
  };

  await outage.begins();
  await until(async () => !(await ledInAll(admin, [topic])).has(0), LATER);
  const stop = Promise.withResolvers<void>();
  const own = { SECRETS_KEY: randomBytes(32).toString("base64"), WEBHOOKS_GRAPHQL_URL: "http://127.0.0.1:1/graphql" };
  const webhooksConfig = loadConfig(webhooksEnv, { ...variables, ...own });
  const webhooks = run(assembleWebhooks({ config: webhooksConfig, codec, log }), stop.promise, log);
  onTestFinished(async () => {
    stop.resolve();
    await webhooks;
  });
  await Promise.race([webhooks, until(async () => (await readAfter([1, 2])) === "false,true,true", LATER)]);

  await outage.ends();
  await until(async () => (await readAfter([0, 1, 2])) === "true,true,true", LATER);
});
