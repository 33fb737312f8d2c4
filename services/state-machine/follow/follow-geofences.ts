// Reads the geofences from the catalog topic: from its beginning, then from its tail.
import type { Kafka } from "kafkajs";
import type { Geofences } from "../../../projections/live/partition.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { messageOf, unavailable } from "../../../schemas/errors.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { createFollower } from "../../common/kafka/read/follow.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { pause, untilSo } from "../../common/loop.ts";

export interface FollowGeofencesOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly groupPrefix: string;
  /** Name of the catalog on the broker. */
  readonly topic: string;
  readonly geofences: Geofences;
  /** Receives the other changes of the catalog that the fold needs. */
  readonly onDevice: (message: CatalogEvent, offset: number) => void;
  readonly onRead: () => void;
  readonly log: Log;
}

export type HasRead = "yes" | "not yet" | "never";

export interface GeofencesFollower extends Part {
  /**
   * Returns "yes" when the catalog has been read beyond the offset, and "never" when the catalog ends before it.
   * Returns "not yet" while neither is known; the caller must ask again after `onRead`.
   */
  hasRead(offset: number): HasRead;
  /**
   * Resolves with the present end of the catalog when it has been read up to there; rejects when that takes too long.
   */
  reachEnd(): Promise<number>;
}

const PAUSE_MS = 20;
const WITHIN_MS = 10_000;
const ASK_AGAIN_MS = 200;

export function followGeofences(options: FollowGeofencesOptions): GeofencesFollower {
  const { kafka, codec, groupPrefix, topic, geofences, onDevice, onRead, log } = options;
  let next = 0;
  const absent = new Set<number>();
  let isAsking = false;
  const follower = createFollower({
    kafka,
    groupPrefix: `${groupPrefix}.geofences`,
    topics: [topic],
    log,
    loadSchemas: codec.loadSchemas,
    from: () => "beginning",
    onBatch: ({ messages, next: nextOffset }) => {
      for (const { value, offset, timestamp } of messages) {
        const read = readMessage(codec, "catalog", value);
        if (!read.ok) continue;
        if (read.type === "GeofenceChanged") geofences.apply(read.event, Number(offset), Number(timestamp));
        else if (read.type === "DeviceChanged") onDevice(read, Number(offset));
      }
      geofences.prepare();
      next = nextOffset;
      onRead();
    },
  });

  /**
   * Finds out whether the catalog has the offset. The catalog had each change before any message named it, so its
   * current end is late enough.
   */
  async function ask(offset: number): Promise<void> {
    isAsking = true;
    try {
      if ((await endOf(kafka, topic)) <= offset) absent.add(offset);
    } catch (error) {
      log.debug({ err: messageOf(error) }, "the broker does not say where the catalog ends");
      await pause(ASK_AGAIN_MS);
    }
    isAsking = false;
    onRead();
  }

  return {
    ...follower,
    name: "geofences",
    hasRead(offset) {
      if (offset < next) return "yes";
      if (absent.delete(offset)) return "never";
      if (!isAsking) void ask(offset);
      return "not yet";
    },
    async reachEnd() {
      const end = await endOf(kafka, topic);
      const isRead = await untilSo(() => next >= end, { pauseMs: PAUSE_MS, withinMs: WITHIN_MS });
      if (!isRead) throw unavailable("the catalog has not been read yet", PAUSE_MS);
      return end;
    },
  };
}

/** The catalog has one partition. */
async function endOf(kafka: Kafka, topic: string): Promise<number> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [range] = await offsetRanges(admin, topic);
    return range?.high ?? 0;
  } finally {
    await admin.disconnect();
  }
}
