// The one table of topics: their records and key, their writers and readers, and how long Kafka keeps them.
import { catalogTypes } from "./catalog/kinds.ts";
import type { EventType } from "./events.ts";

type Process = "api" | "state-machine" | "projector" | "tokens" | "dead-letters" | "producers";

interface TopicSpec {
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
    ],
    writers: ["api", "producers", "state-machine", "dead-letters"],
    readers: ["state-machine", "projector", "api"],
    partitions: CAMERA_PARTITIONS,
    cleanup: "delete",
    retentionMs: 7 * DAY_MS,
  },
  /** Every zone version with its position in camera-log, for a reader that starts in the middle of that log. */
  zones: {
    key: "zoneId",
    records: ["ZoneVersion"],
    writers: ["state-machine"],
    readers: ["api", "state-machine"],
    partitions: 1,
    cleanup: "delete",
    retentionMs: -1,
  },
  /** Every change of each entity, deletions included. Kept for ever: an entity is folded from all its changes. */
  catalog: {
    key: "entity id",
    records: catalogTypes,
    writers: ["api", "tokens"],
    readers: ["api", "tokens"],
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
  },
  "dead-letters": {
    key: "original topic",
    records: ["DeadLetter", "DeadLetterRedriven"],
    writers: ["projector", "dead-letters"],
    readers: ["dead-letters"],
    partitions: 1,
    cleanup: "delete",
    retentionMs: 30 * DAY_MS,
  },
} as const satisfies Record<string, TopicSpec>;

export type Topic = keyof typeof topics;
/** The records that belong into a topic. */
export type RecordOf<T extends Topic> = (typeof topics)[T]["records"][number];

/** Name on the broker. A namespace lets several installations (and tests) share one cluster. */
export function topicName(namespace: string, topic: Topic): string {
  return namespace === "" ? topic : `${namespace}.${topic}`;
}

export interface NamedTopic extends Pick<TopicSpec, "partitions" | "cleanup" | "retentionMs"> {
  readonly name: string;
}

/** All topics of an installation, with its settings applied. */
export function topicsOf(namespace: string, cameraPartitions: number, cameraLogRetentionMs: number): NamedTopic[] {
  return (Object.keys(topics) as Topic[]).map((topic) => ({
    name: topicName(namespace, topic),
    partitions: topics[topic].partitions === 1 ? 1 : cameraPartitions,
    cleanup: topics[topic].cleanup,
    retentionMs: topic === "camera-log" ? cameraLogRetentionMs : topics[topic].retentionMs,
  }));
}

/**
 * Consumer group of a process, or the prefix of the groups that it makes for itself. No namespace contains a dot, so
 * the part between the first two dots names the installation.
 */
export function groupName(namespace: string, process: string): string {
  return `tracklog.${namespace}.${process}`;
}
