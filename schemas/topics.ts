// The one table of topics: who writes what under which key, and how long it is kept.

export interface TopicSpec {
  readonly partitions: number;
  readonly cleanup: "delete" | "compact";
  /** -1 keeps for ever. Ignored for compacted topics. */
  readonly retentionMs: number;
}

const DAY_MS = 86_400_000;
const CAMERA_PARTITIONS = 12;

export const topics = {
  /** Key dataSourceId. All events of one data source stand in one partition, in the order that settles everything. */
  "camera-log": { partitions: CAMERA_PARTITIONS, cleanup: "delete", retentionMs: 7 * DAY_MS },
  /** Key zoneId. Every zone version with its position in camera-log, for whoever starts in the middle of that log. */
  zones: { partitions: 1, cleanup: "delete", retentionMs: -1 },
  /** Key entity id. Latest value wins, a tombstone deletes. */
  catalog: { partitions: 1, cleanup: "compact", retentionMs: -1 },
  /** Key dataSourceId. Same partition number as the camera-log partition it derives from. */
  "zone-intersections": { partitions: CAMERA_PARTITIONS, cleanup: "delete", retentionMs: 7 * DAY_MS },
  /** Key original topic. */
  "dead-letters": { partitions: 1, cleanup: "delete", retentionMs: 30 * DAY_MS },
} as const satisfies Record<string, TopicSpec>;

export type Topic = keyof typeof topics;

/** Name on the broker. A namespace lets several installations (and tests) share one cluster. */
export function topicName(namespace: string, topic: Topic): string {
  return namespace === "" ? topic : `${namespace}.${topic}`;
}

export interface NamedTopic extends TopicSpec {
  readonly name: string;
}

/** All topics of an installation as its settings ask for them. */
export function topicsOf(namespace: string, cameraPartitions: number, cameraLogRetentionMs: number): NamedTopic[] {
  return (Object.keys(topics) as Topic[]).map((topic) => ({
    name: topicName(namespace, topic),
    partitions: topics[topic].partitions === 1 ? 1 : cameraPartitions,
    cleanup: topics[topic].cleanup,
    retentionMs: topic === "camera-log" ? cameraLogRetentionMs : topics[topic].retentionMs,
  }));
}

/**
 * Consumer group of a process, or the beginning of the names of groups it makes for itself. No namespace contains a dot, so
 * the part between the first two dots says whose it is.
 */
export function groupName(namespace: string, process: string): string {
  return `tracklog.${namespace}.${process}`;
}
