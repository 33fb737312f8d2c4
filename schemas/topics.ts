// The one table of topics: their records and key, their writers and readers, and how long Kafka keeps them.
import { catalogTypes } from "./catalog/kinds.ts";
import { chronicleTypes } from "./chronicles/kinds.ts";
import type { EventType, Typed } from "./events.ts";

type Process =
  | "api"
  | "state-machine"
  | "projector"
  | "state-api"
  | "webhooks"
  | "replay"
  | "tokens"
  | "dead-letters"
  | "producers";

interface TopicSpec {
  /** The member of an event that is the key of its message. */
  readonly key: string;
  /** Readers refuse all other records. */
  readonly records: readonly EventType[];
  /** `producers`: processes that write to the log without the API. */
  readonly writers: readonly Process[];
  readonly readers: readonly Process[];
  readonly partitions: number;
  readonly cleanup: "delete" | "compact";
  /** -1 keeps for ever. Ignored for compacted topics. */
  readonly retentionMs: number;
  /** Kept for as long as the camera-log, when that is longer: a rebuild of the history reads both. */
  readonly isKeptWithCameraLog?: boolean;
}

const DAY_MS = 86_400_000;
const CAMERA_PARTITIONS = 12;

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
    readers: ["state-machine", "projector", "api", "replay"],
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
  /** An event is in the partition with the same number as the camera-log partition from which it derives. */
  "zone-intersections": {
    key: "dataSourceId",
    records: ["ZoneIntersectionChanged"],
    writers: ["state-machine", "dead-letters"],
    readers: ["projector", "api", "state-machine"],
    partitions: CAMERA_PARTITIONS,
    cleanup: "delete",
    retentionMs: 7 * DAY_MS,
    isKeptWithCameraLog: true,
  },
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
  "geofence-intersections": {
    key: "dataSourceId",
    records: ["GeofenceIntersectionChanged"],
    writers: ["state-machine", "dead-letters"],
    readers: ["projector", "api", "state-machine"],
    partitions: CAMERA_PARTITIONS,
    cleanup: "delete",
    retentionMs: 7 * DAY_MS,
    isKeptWithCameraLog: true,
  },
  measurements: {
    key: "sensorId",
    records: ["MeasurementRecorded"],
    writers: ["api", "producers", "dead-letters"],
    readers: ["projector", "api"],
    partitions: CAMERA_PARTITIONS,
    cleanup: "delete",
    retentionMs: 7 * DAY_MS,
    isKeptWithCameraLog: true,
  },
  /** Images are few beside detections, and none has to do with another. */
  images: {
    key: "imageId",
    records: ["ImageStored"],
    writers: ["api", "dead-letters"],
    readers: ["projector"],
    partitions: 1,
    cleanup: "delete",
    retentionMs: -1,
  },
  /** Only the newest of each device matters. */
  "device-heartbeats": {
    key: "deviceId",
    records: ["DeviceHeartbeat"],
    writers: ["api"],
    readers: ["api"],
    partitions: 1,
    cleanup: "compact",
    retentionMs: -1,
  },
  /** Every change of each video. Kept for ever: a video is folded from all its changes. */
  videos: {
    key: "dataSourceId",
    records: ["VideoChanged"],
    writers: ["api", "producers", "dead-letters"],
    readers: ["projector", "api"],
    partitions: CAMERA_PARTITIONS,
    cleanup: "delete",
    retentionMs: -1,
  },
  /** The webhooks that callers asked for, each whole. */
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
  /** Deliveries are few beside detections. */
  "webhook-deliveries": {
    key: "subscriptionId",
    records: ["DeliveryEnded"],
    writers: ["webhooks", "dead-letters"],
    readers: ["webhooks", "projector"],
    partitions: 1,
    cleanup: "delete",
    retentionMs: 7 * DAY_MS,
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
    readers: ["dead-letters"],
    partitions: 1,
    cleanup: "delete",
    retentionMs: 30 * DAY_MS,
  },
} as const satisfies Record<string, TopicSpec>;

export type Topic = keyof typeof topics;
const allTopics = Object.keys(topics) as Topic[];

/** The records that belong into a topic. */
export type RecordOf<T extends Topic> = (typeof topics)[T]["records"][number];

/** The topics that a process writes or reads. */
type TopicsOf<P extends Process, Side extends "writers" | "readers"> = {
  [T in Topic]: P extends (typeof topics)[T][Side][number] ? T : never;
}[Topic];

export type WrittenByApi = TopicsOf<"api", "writers">;
export type Projected = TopicsOf<"projector", "readers">;

export const topicsWrittenByApi = topicsOfProcess("api", "writers") as readonly WrittenByApi[];
export const topicsWrittenByStateApi = topicsOfProcess("state-api", "writers");
/** The history is made of them. */
export const projectedTopics = topicsOfProcess("projector", "readers") as readonly Projected[];

function topicsOfProcess(process: Process, side: "writers" | "readers"): readonly Topic[] {
  return allTopics.filter((topic) => (topics[topic][side] as readonly Process[]).includes(process));
}

const topicsByRecord = new Map<EventType, Topic>(
  allTopics.flatMap((topic) => topics[topic].records.map((type) => [type, topic] as const)),
);

/** The topic that the events of a type belong into. */
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
