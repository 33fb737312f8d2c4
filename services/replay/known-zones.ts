// All versions of all zones, with the time at which each was written: the zones of any place in the log follow from them.
import type { Kafka } from "kafkajs";
import type { KnownVersion } from "../../projections/live/zones-at.ts";
import type { Codec } from "../../schemas/codec.ts";
import { LOG_ID } from "../../schemas/headers.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { createFollower, type Follower } from "../common/kafka/follow.ts";
import type { Log } from "../common/log.ts";

export interface WrittenVersion extends KnownVersion {
  /** Broker time, ms. */
  readonly writtenAt: number;
}

export interface KnownZones extends Follower {
  /** In the order of the log. */
  versions(): readonly WrittenVersion[];
}

export interface KnownZonesOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly groupPrefix: string;
  /** Name of the zones' topic on the broker. */
  readonly topic: string;
  readonly log: Log;
}

export function followZones({ kafka, codec, groupPrefix, topic, log }: KnownZonesOptions): KnownZones {
  const versions: WrittenVersion[] = [];
  const follower = createFollower({
    ...{ kafka, groupPrefix: `${groupPrefix}.zones`, topics: [topic], log },
    from: () => "beginning",
    onBatch: async ({ messages }) => {
      await codec.learn(messages.map(({ value }) => value));
      for (const { value, headers, timestamp } of messages) {
        const read = readMessage(codec, "zones", value);
        if (!read.ok) continue;
        versions.push({ ...read.event, logId: headers?.[LOG_ID]?.toString(), writtenAt: Number(timestamp) });
      }
    },
  });
  return { ...follower, versions: () => versions };
}
