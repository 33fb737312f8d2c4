// The parts of a state machine; the service reads the camera-log of its own namespace.

import { createGeofences } from "../../projections/live/partition.ts";
import { eventBoundsOf } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import { groupName, topicName } from "../../schemas/topics.ts";
import { foldSettings } from "../common/fold-config.ts";
import { createKafka } from "../common/kafka/client.ts";
import { createGroupReader } from "../common/kafka/group-reader.ts";
import { createPartitionEnds, type PartitionEnds } from "../common/kafka/partition-ends.ts";
import { createPublisher } from "../common/kafka/publisher.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { createRedis } from "../common/redis.ts";
import { agreedSettings, type StateMachineConfig } from "./config.ts";
import { followGeofences } from "./follow-geofences.ts";
import { followSubscriptions } from "./follow-subscriptions.ts";
import { createLiveStore } from "./live-store.ts";
import { createOutputs } from "./outputs.ts";
import { createStateMachine } from "./state-machine.ts";
import { createTakeOver } from "./take-over.ts";

export interface AssembleOptions {
  readonly config: StateMachineConfig;
  readonly codec: Codec;
  readonly log: Log;
  /** Name on the broker, by default that of the namespace. */
  readonly cameraLog?: string;
}

/** A segment of the log is deleted as a whole, when its newest message is old enough. */
const OUTLIVES_RETENTION_MS = 7 * 86_400_000;

/** In the order in which they start. */
export function assemble({ config, codec, log, cameraLog }: AssembleOptions): Part[] {
  const namespace = config.TRACKLOG_NAMESPACE;
  const groupId = groupName(namespace, "state-machine");
  const kafka = createKafka("tracklog-state-machine", config, log);
  const outputs = createOutputs(codec, namespace, cameraLog);
  const { topics } = outputs;
  const redis = createRedis(config.REDIS_URL, log);
  const store = createLiveStore(redis.client, namespace, Date.now);
  const bounds = eventBoundsOf(config);
  const heard = followSubscriptions({ kafka, codec, namespace, groupPrefix: groupId, log });
  const settings = {
    ...foldSettings(config),
    geofences: createGeofences(config.CAMERA_LOG_RETENTION_MS + OUTLIVES_RETENTION_MS),
    subscriptions: heard.subscriptions,
  };
  const agreed = agreedSettings(config);
  const publisherOf = () =>
    createPublisher({
      kafka,
      topics: [topics.cameraLog, topics.zones, topics.signals, ...Object.values(topics.outputs)],
      log,
      lingerMs: 0,
      maxBatchBytes: 4 * 1024 * 1024,
      maxQueueBytes: 256 * 1024 * 1024,
      // kafkajs gives each request up after 10 s. A caller refused earlier would look up outputs that are still being
      // written, so this time-out is only for a client that never answers at all.
      timeoutMs: 120_000,
      // The owner looks up what was not acknowledged before it writes it again.
      retries: 0,
    });
  const publisher = publisherOf();
  const reader = createGroupReader({
    kafka,
    groupId,
    topics: [topics.cameraLog],
    companions: Object.values(topics.outputs),
    log,
    learn: codec.learn,
    sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT_MS,
    agreement: agreed,
  });
  const followed = followGeofences({
    ...{ kafka, codec, log, geofences: settings.geofences, groupPrefix: groupId },
    topic: topicName(namespace, "catalog"),
    onDevice: heard.onDevice,
    onRead: () => reader.wake(),
  });
  const ends = createPartitionEnds(kafka, "readers");
  const lookbackMs = config.REBUILD_LOOKBACK_MS;
  const takeOver = createTakeOver({
    ...{ kafka, codec, store, log, settings, agreed, lookbackMs, groupId, topics },
    catalogEnd: followed.reachEnd,
  });
  const stateMachine = createStateMachine({
    reader,
    publisher,
    createPublisher: publisherOf,
    store,
    codec,
    outputs,
    log,
    settings,
    bounds,
    now: Date.now,
    elapsed: () => performance.now(),
    takeOver: (partitions, signal) => takeOver(partitions, Date.now(), signal),
    hasReadCatalog: followed.hasRead,
    logEnds: () => ends.ask(topics.cameraLog),
  });
  return [redis, createEndsPart(ends), publisher, followed, heard.part, stateMachine];
}

const createEndsPart = (ends: PartitionEnds): Part => ({
  name: "log ends",
  start: async () => undefined,
  stop: ends.close,
});
