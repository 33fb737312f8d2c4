// Keeps a view of a topic up to date: from the topic's beginning, then from its tail.
import type { Kafka, KafkaMessage } from "kafkajs";
import type { Codec } from "../../schemas/codec.ts";
import type { Typed } from "../../schemas/events.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { type RecordOf, type Topic, topicName } from "../../schemas/topics.ts";
import { createFollower, type Follower } from "./kafka/follow.ts";
import type { Log } from "./log.ts";

export interface FollowRecordsOptions<T extends Topic> {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly topic: T;
  /** Takes the record into the view; a text says why it did not. */
  readonly apply: (record: Typed<RecordOf<T>>, offset: number, headers: KafkaMessage["headers"]) => string | undefined;
  readonly log: Log;
}

export function followRecords<T extends Exclude<Topic, "camera-log">>(options: FollowRecordsOptions<T>): Follower {
  const { kafka, codec, namespace, groupPrefix, topic, apply, log } = options;
  return createFollower({
    kafka,
    groupPrefix: `${groupPrefix}.${topic}`,
    topics: [topicName(namespace, topic)],
    log,
    from: () => "beginning",
    onBatch: async ({ messages }) => {
      await codec.learn(messages.map(({ value }) => value));
      for (const { value, offset, headers } of messages) {
        const read = readMessage(codec, topic, value);
        const reason = read.ok ? apply(read, Number(offset), headers) : read.reason;
        if (reason !== undefined) log.warn({ topic, offset, reason }, "message skipped");
      }
    },
  });
}
