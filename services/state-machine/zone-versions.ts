// The versions of all zones, kept for ever in a topic of its own: read once, and from there on at each takeover.
import type { Kafka } from "kafkajs";
import type { Codec } from "../../schemas/codec.ts";
import type { ZoneVersion } from "../../schemas/events.ts";
import { type ReadMessage, readEach } from "../common/kafka/read-some.ts";
import type { Log } from "../common/log.ts";

export interface ZoneVersionsOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly groupPrefix: string;
  readonly topic: string;
  readonly log: Log;
}

/** Gives all that is in the topic now, in its order. One call at a time. */
export function createZoneVersions({ codec, ...options }: ZoneVersionsOptions): () => Promise<readonly ZoneVersion[]> {
  const versions: ZoneVersion[] = [];
  const next = new Map<number, number>();

  return async () => {
    const news: ReadMessage[] = [];
    const unread = readEach(options, ({ partition, low, high }) => {
      return { partition, low: Math.max(low, next.get(partition) ?? low), high };
    });
    for await (const message of unread) news.push(message);
    await codec.learn(news.map(({ message }) => message.value));
    for (const { partition, message } of news) {
      next.set(partition, Number(message.offset) + 1);
      const decoded = codec.decode(message.value);
      if (decoded.ok && decoded.type === "ZoneVersion") versions.push(decoded.event);
    }
    return versions;
  };
}
