// The versions of all zones, kept for ever in a topic of its own. A process reads them once, and at each later takeover
// only the new ones.
import type { Kafka } from "kafkajs";
import type { KnownVersion } from "../../projections/live/zones-at.ts";
import type { Codec } from "../../schemas/codec.ts";
import { LOG_ID } from "../../schemas/headers.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { type ReadMessage, readEach } from "../common/kafka/read-some.ts";
import type { Log } from "../common/log.ts";

export interface ZoneVersionsOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly groupPrefix: string;
  readonly topic: string;
  readonly log: Log;
}

/** Gives all that is in the topic now, in its order; a topic with another id is read anew. One call at a time. */
export function createZoneVersions({ codec, ...options }: ZoneVersionsOptions) {
  let versions: KnownVersion[] = [];
  let next = new Map<number, number>();
  let knownId: string | undefined;

  return async (topicId: string): Promise<readonly KnownVersion[]> => {
    if (topicId !== knownId) {
      versions = [];
      next = new Map();
      knownId = topicId;
    }
    const news: ReadMessage[] = [];
    const unread = readEach(options, ({ partition, low, high }) => {
      return { partition, low: Math.max(low, next.get(partition) ?? low), high };
    });
    for await (const message of unread) news.push(message);
    await codec.learn(news.map(({ message }) => message.value));
    for (const { partition, message } of news) {
      next.set(partition, Number(message.offset) + 1);
      const version = readMessage(codec, "zones", message.value);
      if (!version.ok) continue;
      versions.push({ ...version.event, logId: message.headers?.[LOG_ID]?.toString() });
    }
    return versions;
  };
}
