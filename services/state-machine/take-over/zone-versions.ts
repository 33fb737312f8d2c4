// Versions of all zones, kept for ever in a topic of their own. A process reads them once, and at each later takeover
// only the new ones; it keeps only the offsets of the newest. A rebuild reads them again, because all versions together
// may not fit into memory.
import type { Kafka } from "kafkajs";
import { createZonesAt, type FoldBeginning, isOfLog, type KnownVersion } from "../../../projections/live/zones-at.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { ZoneVersion } from "../../../schemas/events.ts";
import { LOG_ID } from "../../../schemas/headers.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import type { OffsetRange } from "../../common/kafka/offsets.ts";
import { readEach } from "../../common/kafka/read/read-some.ts";
import type { Log } from "../../common/log.ts";
import { createSlices } from "../../common/slices.ts";

export interface ZoneVersionsOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly groupPrefix: string;
  readonly topic: string;
  readonly log: Log;
}

/** Only one call may run at a time. */
export interface ZoneVersions {
  /** Reads the new versions, or all of them when the topic or the camera-log is not the same as before. */
  catchUp(topicId: string, logId: string): Promise<void>;
  /** Resolves with the offset, by partition of the camera-log, of the newest version of this log among those read. */
  newest(ranges: readonly OffsetRange[]): Promise<ReadonlyMap<number, number>>;
  /**
   * Resolves, by partition, with the versions of its zones that are valid where the fold begins. Reads the whole topic,
   * once for all partitions.
   */
  at(beginnings: readonly Omit<FoldBeginning, "logId">[]): Promise<ReadonlyMap<number, readonly ZoneVersion[]>>;
}

interface Known {
  readonly topicId: string;
  readonly logId: string;
  /** Offset to read next, by partition of the topic. */
  readonly next: Map<number, number>;
  /** Offset of the newest version of this log, by partition of the camera-log. */
  readonly newest: Map<number, number>;
}

export function createZoneVersions({ codec, ...options }: ZoneVersionsOptions): ZoneVersions {
  let known: Known = { topicId: "", logId: "", next: new Map(), newest: new Map() };

  /** Passes each version on in the order of the topic. `next` has the first offsets, and is advanced. */
  async function read(next: Map<number, number>, onVersion: (version: KnownVersion) => void): Promise<void> {
    const slices = createSlices();
    const unread = readEach(options, ({ partition, low, high }) => {
      return { partition, low: Math.max(low, next.get(partition) ?? low), high };
    });
    for await (const { partition, message } of unread) {
      await codec.loadSchemas([message.value], { topic: options.topic });
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
      // A log has lost its end, so the newest version known of it may be void. The topic is read again for the newest
      // version before the present end.
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
