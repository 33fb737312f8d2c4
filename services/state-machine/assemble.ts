// Assembles a state machine. The service reads the camera-log of its own namespace.

import type { Kafka } from "kafkajs";
import { createGeofences } from "../../projections/live/partition.ts";
import { createSignalListener } from "../../projections/webhooks/signals/signal-listener.ts";
import { eventBoundsOf } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import { alignedTopics } from "../../schemas/outputs.ts";
import { groupName, topicName } from "../../schemas/topics.ts";
import { DAY_MS, MIB } from "../../schemas/units.ts";
import { foldSettings } from "../common/fold-config.ts";
import { createKafka } from "../common/kafka/client.ts";
import { createGroupReader, type GroupReader, type GroupReaderOptions } from "../common/kafka/read/group-reader.ts";
import { createPartitionEnds } from "../common/kafka/read/partition-ends.ts";
import { createPublisher, type Publisher } from "../common/kafka/write/publisher.ts";
import { closingPart, type Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { createRedisClient } from "../common/redis/cluster.ts";
import { lendingInPlace, lendingPlain } from "../common/registry/read-in-place.ts";
import { agreedSettings, type StateMachineConfig } from "./config.ts";
import { followGeofences } from "./follow/follow-geofences.ts";
import { followSubscriptions } from "./follow/follow-subscriptions.ts";
import { createOutputs } from "./rounds/outputs.ts";
import { createStateMachine } from "./state-machine.ts";
import { createLiveStore } from "./store/live-store.ts";
import { createTakeOver } from "./take-over/take-over.ts";

export interface StateMachineOptions {
  readonly config: StateMachineConfig;
  readonly codec: Codec;
  readonly log: Log;
  /** Name of the camera-log on the broker; by default that of the namespace. */
  readonly cameraLog?: string;
}

/**
 * Geofences are remembered for this long beyond the log's retention. The log deletes only whole segments, once the
 * newest message is old enough, so older messages may still be read.
 */
const OUTLIVES_RETENTION_MS = 7 * DAY_MS;

/** Returns the parts in the order in which they start. */
export function assembleStateMachine({ config, codec, log, cameraLog }: StateMachineOptions): Part[] {
  const namespace = config.TRACKLOG_NAMESPACE;
  const groupId = groupName(namespace, "state-machine");
  const kafka = createKafka("tracklog-state-machine", config, log);
  const outputs = createOutputs(codec, namespace, cameraLog);
  const { topics } = outputs;
  const redis = createRedisClient(config, log);
  const store = createLiveStore(redis.client, namespace, Date.now);
  const ends = createPartitionEnds(kafka, "readers");
  const agreed = agreedSettings(config);
  const createPublisher = () => createOutputPublisher(kafka, topics, log);
  const publisher = createPublisher();
  const reader = createCameraLogReader(config, { kafka, groupId, topics, log, loadSchemas: codec.loadSchemas, agreed });
  const following = { kafka, codec, namespace, groupPrefix: groupId, log };
  const followed = followSubscriptions(following);
  const settings = {
    ...foldSettings(config),
    geofences: createGeofences(config.CAMERA_LOG_RETENTION_MS + OUTLIVES_RETENTION_MS),
    listener: createSignalListener(followed.subscriptions),
  };
  const geofences = followGeofences({
    ...following,
    geofences: settings.geofences,
    topic: topicName(namespace, "catalog"),
    onDevice: followed.onDevice,
    onRead: () => reader.wake(),
  });
  // Detections that wait to be reordered are kept.
  const codecs = settings.reorderMs > 0 ? lendingPlain(codec) : lendingInPlace(codec);
  const working = { store, log, settings };
  const lookbackMs = config.REBUILD_LOOKBACK_MS;
  const catalogEnd = geofences.reachEnd;
  const takeOver = createTakeOver({ ...working, codec, kafka, agreed, lookbackMs, groupId, topics, catalogEnd });
  const stateMachine = createStateMachine({
    ...working,
    codecs,
    reader,
    publisher,
    createPublisher,
    outputs,
    bounds: eventBoundsOf(config),
    now: Date.now,
    elapsed: () => performance.now(),
    takeOver: (partitions, signal) => takeOver(partitions, Date.now(), signal),
    hasReadCatalog: geofences.hasRead,
    endsOf: ends.ask,
  });
  return [redis, closingPart("log ends", ends.close), publisher, geofences, followed.part, stateMachine];
}

type FoldTopics = ReturnType<typeof createOutputs>["topics"];

const createOutputPublisher = (kafka: Kafka, topics: FoldTopics, log: Log): Publisher =>
  createPublisher({
    kafka,
    topics: [topics.cameraLog, ...Object.values(topics.outputs)],
    log,
    lingerMs: 0,
    maxBatchBytes: 4 * MIB,
    maxQueueBytes: 256 * MIB,
    // kafkajs gives each request up after 10 s. With a shorter time-out the next takeover would look up outputs that
    // are still being written, so this one is only for a client that never answers at all.
    timeoutMs: 120_000,
    // No retries here: after a failure the owner looks up which outputs the topics have before it writes them again.
    retries: 0,
  });

interface Reading extends Required<Pick<GroupReaderOptions, "kafka" | "groupId" | "log" | "loadSchemas">> {
  readonly topics: FoldTopics;
  readonly agreed: string;
}

const createCameraLogReader = (config: StateMachineConfig, { topics, agreed, ...options }: Reading): GroupReader =>
  createGroupReader({
    ...options,
    topics: [topics.cameraLog],
    companions: alignedTopics.map((topic) => topics.outputs[topic]),
    sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT_MS,
    gatherMs: config.FOLD_GATHER_MS,
    maxGatherMs: config.FOLD_MAX_GATHER_MS,
    agreement: agreed,
  });
