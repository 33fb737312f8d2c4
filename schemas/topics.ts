// The one table of topics: their records and key, their writers and readers, and how long Kafka keeps them.
import { catalogTypes } from "./catalog/kinds.ts";
import { chronicleTypes } from "./chronicles/kinds.ts";
import type { EventType, Typed } from "./events.ts";
import { recordTopics } from "./records/kinds.ts";
import { CAMERA_PARTITIONS, type Process, type TopicSpec } from "./topic-spec.ts";
import { DAY_MS } from "./units.ts";

/** An event is in the partition with the same number as the camera-log partition from which it derives. */
const intersections = {
  key: "dataSourceId",
  writers: ["state-machine", "dead-letters"],
  readers: ["projector", "api", "state-machine"],
  partitions: CAMERA_PARTITIONS,
  cleanup: "delete",
  retentionMs: 7 * DAY_MS,
  isKeptWithCameraLog: true,
} as const;

export const topics = {
  /** All events of one data source are in one partition, so every reader sees them in the same order. */
  "camera-log": {
    key: "dataSourceId",
    records: [
      "TrackCreated",
      "TrackUpdated",
      "TrackExpired",
      "DetectionsRecorded",
      "ZoneCreated",
      "ZoneUpdated",
      "ZoneDeleted",
      "GeofencesAdvanced",
    ],
    writers: ["api", "producers", "state-machine", "dead-letters"],
    readers: ["state-machine", "projector", "api", "replay", "state-api"],
    partitions: CAMERA_PARTITIONS,
    cleanup: "delete",
    retentionMs: 7 * DAY_MS,
  },
  /** Every zone version with its position in camera-log, for a reader that starts in the middle of that log. */
  zones: {
    key: "zoneId",
    records: ["ZoneVersion"],
    writers: ["state-machine"],
    readers: ["api", "state-machine", "state-api", "replay"],
    partitions: 1,
    cleanup: "delete",
    retentionMs: -1,
  },
  /** Every change of each entity, deletions included. Kept for ever: an entity is folded from all its changes. */
  catalog: {
    key: "id",
    records: catalogTypes,
    writers: ["api", "tokens"],
    readers: ["api", "tokens", "state-machine", "state-api", "webhooks", "replay"],
    partitions: 1,
    cleanup: "delete",
    retentionMs: -1,
  },
  "zone-intersections": { ...intersections, records: ["ZoneIntersectionChanged"] },
  /** Every change of each chronicle. Kept for ever: a chronicle is folded from all its changes. */
  chronicles: {
    key: "id",
    records: chronicleTypes,
    writers: ["api", "dead-letters"],
    readers: ["projector", "api", "webhooks"],
    partitions: CAMERA_PARTITIONS,
    cleanup: "delete",
    retentionMs: -1,
  },
  "geofence-intersections": { ...intersections, records: ["GeofenceIntersectionChanged"] },
  /** Only the newest heartbeat of each device matters. */
  "device-heartbeats": {
    key: "deviceId",
    records: ["DeviceHeartbeat"],
    writers: ["api"],
    readers: ["api"],
    partitions: 1,
    cleanup: "compact",
    retentionMs: -1,
  },
  /** The webhooks that callers asked for. Each message is a whole subscription. */
  subscriptions: {
    key: "key",
    records: ["SubscriptionSet", "SubscriptionStopped"],
    writers: ["state-api", "webhooks"],
    readers: ["state-api", "state-machine", "webhooks"],
    partitions: 1,
    cleanup: "compact",
    retentionMs: -1,
  },
  /** All signals of one subscription are in one partition, so that one process delivers them in order. */
  signals: {
    key: "subscriptionId",
    records: ["SignalRaised"],
    writers: ["state-machine", "webhooks"],
    readers: ["webhooks"],
    partitions: CAMERA_PARTITIONS,
    cleanup: "delete",
    retentionMs: DAY_MS,
  },
  /** The newest state of each event of a workflow. */
  "event-states": {
    key: "key",
    records: ["EventStateChanged"],
    writers: ["state-api"],
    readers: ["state-api"],
    partitions: 1,
    cleanup: "compact",
    retentionMs: -1,
  },
  "dead-letters": {
    key: "topic",
    records: ["DeadLetter", "DeadLetterRedriven"],
    writers: ["projector", "dead-letters"],
    readers: ["dead-letters", "api"],
    partitions: 1,
    cleanup: "delete",
    retentionMs: 30 * DAY_MS,
  },
  ...recordTopics,
} as const satisfies Record<string, TopicSpec & { readonly records: readonly EventType[] }>;

export type Topic = keyof typeof topics;
const allTopics = Object.keys(topics) as Topic[];

/** The records that belong to a topic. */
export type RecordOf<T extends Topic> = (typeof topics)[T]["records"][number];

/** The topics that a process writes or reads. */
type TopicsOf<P extends Process, Side extends "writers" | "readers"> = {
  [T in Topic]: P extends (typeof topics)[T][Side][number] ? T : never;
}[Topic];

export type WrittenByApi = TopicsOf<"api", "writers">;
export type Projected = TopicsOf<"projector", "readers">;

export const topicsWrittenByApi = topicsOfProcess("api", "writers") as readonly WrittenByApi[];
export const topicsWrittenByStateApi = topicsOfProcess("state-api", "writers");
/** The history is built from these topics. */
export const projectedTopics = topicsOfProcess("projector", "readers") as readonly Projected[];

const openToProducers = topicsOfProcess("producers", "writers");

/**
 * `name` is the topic's name on the broker.
 * @returns false when only tracklog writes to the topic.
 */
export const isOpenToProducers = (name: string): boolean =>
  openToProducers.some((topic) => name === topic || name.endsWith(`.${topic}`));

function topicsOfProcess(process: Process, side: "writers" | "readers"): readonly Topic[] {
  return allTopics.filter((topic) => (topics[topic][side] as readonly Process[]).includes(process));
}

const topicsByRecord = new Map<EventType, Topic>(
  allTopics.flatMap((topic) => topics[topic].records.map((type) => [type, topic] as const)),
);

/** Returns the topic of the events of a type. */
export function topicOf(type: EventType): Topic {
  const topic = topicsByRecord.get(type);
  if (topic === undefined) throw new Error(`${type} belongs into no topic`);
  return topic;
}

/** Key of an event's message. */
export function keyOf({ type, event }: Typed): string {
  const { key } = topics[topicOf(type)];
  const value: unknown = Reflect.get(event, key);
  if (typeof value !== "string") throw new Error(`a ${type} has no ${key}`);
  return value;
}

/** Name on the broker. A namespace lets several installations (and tests) share one cluster. */
export function topicName(namespace: string, topic: Topic): string {
  return namespace === "" ? topic : `${namespace}.${topic}`;
}

export interface NamedTopic extends Pick<TopicSpec, "partitions" | "cleanup" | "retentionMs"> {
  readonly name: string;
}

/** All topics of an installation, with its settings applied. */
export function topicsOf(namespace: string, cameraPartitions: number, cameraLogRetentionMs: number): NamedTopic[] {
  return allTopics.map((topic) => ({
    name: topicName(namespace, topic),
    partitions: topics[topic].partitions === 1 ? 1 : cameraPartitions,
    cleanup: topics[topic].cleanup,
    retentionMs: retentionOf(topic, cameraLogRetentionMs),
  }));
}

function retentionOf(topic: Topic, cameraLogRetentionMs: number): number {
  const { retentionMs, isKeptWithCameraLog = false }: TopicSpec = topics[topic];
  if (topic === "camera-log") return cameraLogRetentionMs;
  return isKeptWithCameraLog ? Math.max(retentionMs, cameraLogRetentionMs) : retentionMs;
}

/**
 * Consumer group of a process, or the prefix of the groups that it makes for itself. No namespace contains a dot, so
 * the part between the first two dots names the installation.
 */
export function groupName(namespace: string, process: string): string {
  return `tracklog.${namespace}.${process}`;
}
