// Settings of a topic on the broker: those of a new topic, those that an existing topic is compared with, and the
// differences that can be mended without a loss.
import { HOUR_MS, MIB, MINUTE_MS } from "../../../../schemas/units.ts";

export interface TopicToProvide {
  readonly name: string;
  readonly partitions: number;
  readonly cleanup: "delete" | "compact";
  /** A value of -1 keeps messages for ever. Ignored for compacted topics. */
  readonly retentionMs: number;
}

/**
 * Writes continue while one of several copies is missing. With three or more copies, an acknowledged write is on two.
 */
export const minInSyncReplicas = (replicationFactor: number): number => Math.max(1, replicationFactor - 1);

export type TopicSettings = ReadonlyMap<string, string>;

const MAX_MESSAGE_BYTES = 8 * MIB;
/** The broker removes whole segments, so a message outlives its retention by up to an eighth. */
const SEGMENTS_PER_RETENTION = 8;
const SHORTEST_SEGMENT_MS = 10 * MINUTE_MS;
/** A small segment keeps starts fast: the broker never compacts the newest segment, and every start reads it. */
const COMPACTED_SEGMENT_BYTES = 2 * MAX_MESSAGE_BYTES;

/**
 * With `LogAppendTime` the broker's clock sets the time at which a message was recorded: a producer with a wrong clock
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

/** @returns true when `npm run topics` sets the value on an existing topic: it neither refuses nor loses messages. */
export function isMendable(name: string, actual: string | undefined, wanted: string): boolean {
  if (name === "segment.ms" || name === "segment.bytes") return true;
  if (name === "max.message.bytes") return Number(actual) < Number(wanted);
  if (name === "retention.ms") return Number(actual) !== -1 && (wanted === "-1" || Number(actual) < Number(wanted));
  return false;
}
