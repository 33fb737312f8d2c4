// The versions of all zones, kept for ever in a topic of its own. A process reads them once, and at each later takeover only the new
// ones; it keeps the place of the newest alone. A rebuild reads them again, because all versions together may not fit into memory.
import type { Kafka } from "kafkajs";
import { createZonesAt, type FoldBeginning, isOfLog, type KnownVersion } from "../../projections/live/zones-at.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { ZoneVersion } from "../../schemas/events.ts";
import { LOG_ID } from "../../schemas/headers.ts";
import { readMessage } from "../../schemas/read-message.ts";
import type { OffsetRange } from "../common/kafka/offsets.ts";
import { readEach } from "../common/kafka/read-some.ts";
import type { Log } from "../common/log.ts";
import { createSlices } from "../common/slices.ts";

export interface ZoneVersionsOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly groupPrefix: string;
  readonly topic: string;
  readonly log: Log;
}

/** One call at a time. */
export interface ZoneVersions {
  /** Reads those that are new; all of them when the topic or the camera-log is another one than before. */
  catchUp(topicId: string, logId: string): Promise<void>;
  /** By partition of the camera-log, the offset of the newest version that is of this log, among those that were read. */
  newest(ranges: readonly OffsetRange[]): Promise<ReadonlyMap<number, number>>;
  /** By partition, what makes up its zones as they were where it begins. Reads the whole topic, once for all partitions. */
  at(beginnings: readonly Omit<FoldBeginning, "logId">[]): Promise<ReadonlyMap<number, readonly ZoneVersion[]>>;
}

interface Known {
  readonly topicId: string;
  readonly logId: string;
  /** By partition of the topic, the offset to read next. */
  readonly next: Map<number, number>;
  /** By partition of the camera-log, the offset of the newest version of this log. */
  readonly newest: Map<number, number>;
}

export function createZoneVersions({ codec, ...options }: ZoneVersionsOptions): ZoneVersions {
  let known: Known = { topicId: "", logId: "", next: new Map(), newest: new Map() };

  /** Passes each on in the order of the topic. `next` says where to begin, and is moved on. */
  async function read(next: Map<number, number>, onVersion: (version: KnownVersion) => void): Promise<void> {
    const slices = createSlices();
    const unread = readEach(options, ({ partition, low, high }) => {
      return { partition, low: Math.max(low, next.get(partition) ?? low), high };
    });
    for await (const { partition, message } of unread) {
      await codec.learn([message.value]);
      const version = readMessage(codec, "zones", message.value);
      const logId = message.headers?.[LOG_ID]?.toString();
      if (version.ok) onVersion({ ...version.event, logId });
      next.set(partition, Number(message.offset) + 1);
      if (slices.isOver()) await slices.next();
    }
  }

  return {
    async catchUp(topicId, logId) {
      if (topicId !== known.topicId || logId !== known.logId) {
        known = { topicId, logId, next: new Map(), newest: new Map() };
      }
      const { next, newest } = known;
      await read(next, (version) => {
        if (isOfLog(version, logId, Number.POSITIVE_INFINITY)) newest.set(version.partition, version.offset);
      });
    },

    async newest(ranges) {
      const highs = new Map(ranges.map(({ partition, high }) => [partition, high]));
      const highOf = (partition: number) => highs.get(partition) ?? 0;
      const { logId, newest } = known;
      const isLost = ({ partition, high }: OffsetRange) => (newest.get(partition) ?? -1) >= high;
      if (!ranges.some(isLost)) return new Map(newest);
      // A log that lost its end: only the topic knows the one before.
      const left = new Map<number, number>();
      await read(new Map(), (version) => {
        if (isOfLog(version, logId, highOf(version.partition))) left.set(version.partition, version.offset);
      });
      return left;
    },

    async at(beginnings) {
      const { logId } = known;
      const zones = new Map(beginnings.map((each) => [each.partition, createZonesAt({ ...each, logId })]));
      if (zones.size > 0) await read(new Map(), (version) => zones.get(version.partition)?.add(version));
      return new Map(Array.from(zones, ([partition, { found }]) => [partition, found()]));
    },
  };
}
