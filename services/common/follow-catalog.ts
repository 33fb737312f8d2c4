// Keeps a process's view of the catalog up to date: from the topic's beginning, then from its tail.
import type { Kafka } from "kafkajs";
import type { Catalog } from "../../projections/catalog/catalog.ts";
import type { Codec } from "../../schemas/codec.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { topicName } from "../../schemas/topics.ts";
import { createFollower, type Follower } from "./kafka/follow.ts";
import type { Log } from "./log.ts";

export interface FollowCatalogOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly catalog: Catalog;
  readonly log: Log;
}

export function followCatalog({ kafka, codec, namespace, groupPrefix, catalog, log }: FollowCatalogOptions): Follower {
  const topic = topicName(namespace, "catalog");
  return createFollower({
    kafka,
    groupPrefix: `${groupPrefix}.catalog`,
    topics: [topic],
    log,
    from: () => "beginning",
    onBatch: async ({ messages }) => {
      await codec.learn(messages.map(({ value }) => value));
      for (const { value, offset } of messages) {
        const read = readMessage(codec, "catalog", value);
        const reason = read.ok ? catalog.apply(read, Number(offset)) : read.reason;
        if (reason !== undefined) log.warn({ topic, offset, reason }, "message skipped");
      }
    },
  });
}
