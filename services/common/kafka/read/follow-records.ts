// Keeps a view of a topic up to date: from the topic's beginning, then from its tail.
import type { Kafka, KafkaMessage } from "kafkajs";
import type { Codec } from "../../../../schemas/codec.ts";
import type { Typed } from "../../../../schemas/events.ts";
import { readMessage } from "../../../../schemas/read-message.ts";
import { type RecordOf, type Topic, topicName } from "../../../../schemas/topics.ts";
import type { Log } from "../../log.ts";
import { type CatchUp, createCatchUp } from "./catch-up.ts";
import { createFollower, type Follower } from "./follow.ts";
import { createPartitionEnds } from "./partition-ends.ts";

export interface FollowRecordsOptions<T extends Topic> {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly topic: T;
  /**
   * Takes the record into the view.
   * @returns a reason when the record was not taken.
   */
  readonly apply: (record: Typed<RecordOf<T>>, offset: number, message: KafkaMessage) => string | undefined;
  readonly log: Log;
}

export interface RecordsFollower extends Follower {
  /**
   * Resolves when the view has everything that was acknowledged before the call; rejects with UNAVAILABLE after
   * `withinMs`.
   */
  catchUp: CatchUp["wait"];
}

export function followRecords<T extends Exclude<Topic, "camera-log">>(
  options: FollowRecordsOptions<T>,
): RecordsFollower {
  const { kafka, codec, namespace, groupPrefix, topic, apply, log } = options;
  const name = topicName(namespace, topic);
  const catchUp = createCatchUp(createPartitionEnds(kafka, "writers"), name);
  const follower = createFollower({
    kafka,
    groupPrefix: `${groupPrefix}.${topic}`,
    topics: [name],
    log,
    loadSchemas: codec.loadSchemas,
    from: () => "beginning",
    onBatch: ({ messages, partition, next }) => {
      for (const message of messages) {
        const { value, offset } = message;
        // A tombstone only lets Kafka drop a key. Readers have received the deletion with an earlier record.
        if (value === null) continue;
        const read = readMessage(codec, topic, value);
        const reason = read.ok ? apply(read, Number(offset), message) : read.reason;
        if (reason !== undefined) log.warn({ topic, offset, reason }, "message skipped");
      }
      catchUp.passed(partition, next);
    },
  });
  return {
    ...follower,
    catchUp: catchUp.wait,
    stop: async () => {
      await follower.stop();
      await catchUp.close();
    },
  };
}
