// The settings of a topic on the broker: what a new one gets, what an existing one is compared with, and which
// differences can be mended without a loss.

export interface TopicToProvide {
  readonly name: string;
  readonly partitions: number;
  readonly cleanup: "delete" | "compact";
  /** -1 keeps for ever. Ignored for compacted topics. */
  readonly retentionMs: number;
}

/** Writes go on while one of several copies is missing; with three or more, an acknowledged write is on two. */
export const minInSyncReplicas = (replicationFactor: number): number => Math.max(1, replicationFactor - 1);

export type TopicSettings = ReadonlyMap<string, string>;

const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The broker removes whole segments, so a message outlives its retention by up to an eighth. */
const SEGMENTS_PER_RETENTION = 8;
const SHORTEST_SEGMENT_MS = 10 * MINUTE_MS;
/** The broker never compacts the newest segment, and every start reads it. */
const COMPACTED_SEGMENT_BYTES = 2 * MAX_MESSAGE_BYTES;

/**
 * `LogAppendTime` makes the broker's clock the one that says when a message was recorded: a producer with a wrong clock
 * cannot forge it.
 */
export const settingsOf = (topic: TopicToProvide, replicationFactor: number): TopicSettings =>
  new Map([
    ["cleanup.policy", topic.cleanup],
    ["message.timestamp.type", "LogAppendTime"],
    ["max.message.bytes", String(MAX_MESSAGE_BYTES)],
    ["min.insync.replicas", String(minInSyncReplicas(replicationFactor))],
    ...keepingOf(topic),
  ]);

function keepingOf({ cleanup, retentionMs }: TopicToProvide): [string, string][] {
  if (cleanup === "compact") {
    return [
      ["segment.ms", String(HOUR_MS)],
      ["segment.bytes", String(COMPACTED_SEGMENT_BYTES)],
    ];
  }
  const retention: [string, string] = ["retention.ms", String(retentionMs)];
  if (retentionMs === -1) return [retention];
  const segmentMs = Math.max(SHORTEST_SEGMENT_MS, Math.floor(retentionMs / SEGMENTS_PER_RETENTION));
  return [retention, ["segment.ms", String(segmentMs)]];
}

/** Whether `npm run topics` sets the value on an existing topic: nothing that is there is refused or lost by it. */
export function isMendable(name: string, actual: string | undefined, wanted: string): boolean {
  if (name === "segment.ms" || name === "segment.bytes") return true;
  if (name === "max.message.bytes") return Number(actual) < Number(wanted);
  if (name === "retention.ms") return Number(actual) !== -1 && (wanted === "-1" || Number(actual) < Number(wanted));
  return false;
}
