// Feeds the views of this instance from the catalog and zones topics: from their beginnings, then from their tails.
import type { Kafka, KafkaMessage } from "kafkajs";
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { Heartbeats } from "../../../projections/catalog/heartbeats.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { Geofences } from "../../../projections/live/partition.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { LOG_ID } from "../../../schemas/headers.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { type Topic, topicName } from "../../../schemas/topics.ts";
import { createFollower, type Follower } from "../../common/kafka/read/follow.ts";
import type { Log } from "../../common/log.ts";

export interface FollowViewsOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly catalog: Catalog;
  readonly zones: ZonesView;
  readonly heartbeats: Heartbeats;
  readonly geofences: Geofences;
  readonly log: Log;
}

/** @returns undefined when the view has taken the message, otherwise the reason against it. */
type Apply = (message: KafkaMessage, options: FollowViewsOptions) => string | undefined;

export type ViewedTopic = "catalog" | "zones" | "device-heartbeats";

/** Handlers that pass the messages of each topic to its view. */
const views: readonly (readonly [ViewedTopic, Apply])[] = [
  ["catalog", applyToCatalog],
  ["zones", applyToZones],
  ["device-heartbeats", applyToHeartbeats],
];

export interface ViewsFollower extends Follower {
  /** Returns the offset after the newest message that the views have taken in. */
  nextOffset(topic: ViewedTopic): number;
  /** Resolves when the views have taken in the message at the offset. Does not wait for a topic without a view. */
  reached(topic: Topic, offset: number): Promise<void>;
}

export function followViews(options: FollowViewsOptions): ViewsFollower {
  const { kafka, codec, namespace, groupPrefix, log } = options;
  const appliers = new Map(views.map(([topic, apply]) => [topicName(namespace, topic), apply]));
  const next = new Map<string, number>();
  let moved = Promise.withResolvers<void>();

  const follower = createFollower({
    kafka,
    groupPrefix: `${groupPrefix}.views`,
    topics: [...appliers.keys()],
    log,
    loadSchemas: codec.loadSchemas,
    from: () => "beginning",
    onBatch: ({ topic, messages, next: nextOfTopic }) => {
      for (const message of messages) {
        const reason = appliers.get(topic)?.(message, options);
        if (reason !== undefined) log.warn({ topic, offset: message.offset, reason }, "message skipped");
      }
      next.set(topic, nextOfTopic);
      moved.resolve();
      moved = Promise.withResolvers();
    },
  });
  return {
    ...follower,
    nextOffset: (topic) => next.get(topicName(namespace, topic)) ?? 0,
    async reached(topic, offset) {
      const name = topicName(namespace, topic);
      while (appliers.has(name) && (next.get(name) ?? 0) <= offset) await moved.promise;
    },
  };
}

/** @returns undefined when the views have the event, otherwise the reason against it. */
function applyToCatalog({ value, offset, timestamp }: KafkaMessage, { codec, catalog, geofences }: FollowViewsOptions) {
  const read = readMessage(codec, "catalog", value);
  if (!read.ok) return read.reason;
  if (read.type === "GeofenceChanged") geofences.apply(read.event, Number(offset), Number(timestamp));
  return catalog.apply(read, Number(offset));
}

function applyToZones({ value, headers }: KafkaMessage, { codec, zones }: FollowViewsOptions) {
  const version = readMessage(codec, "zones", value);
  if (!version.ok) return version.reason;
  zones.apply(version.event, headers?.[LOG_ID]?.toString());
  return undefined;
}

function applyToHeartbeats({ value }: KafkaMessage, { codec, heartbeats }: FollowViewsOptions) {
  const heartbeat = readMessage(codec, "device-heartbeats", value);
  if (!heartbeat.ok) return heartbeat.reason;
  heartbeats.apply(heartbeat.event);
  return undefined;
}
