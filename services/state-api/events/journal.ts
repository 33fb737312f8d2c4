// The topic of the states: what a caller was told is in it, and a Redis that has lost states gets them from it.
import type { Kafka } from "kafkajs";
import type { Known } from "../../../projections/event-state/types.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { EventStateChanged } from "../../../schemas/events.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { groupName, topicName } from "../../../schemas/topics.ts";
import { topicIds } from "../../common/kafka/log-id.ts";
import type { Publisher } from "../../common/kafka/publisher.ts";
import { readEach } from "../../common/kafka/read-some.ts";
import type { Log } from "../../common/log.ts";

export interface Written {
  readonly state: EventStateChanged;
  readonly offset: number;
}

export interface Journal {
  /** Resolves with the offset when the state is durable. Undefined: the event is forgotten, and compaction drops it. */
  write(key: string, state: Known): Promise<number>;
  /** The newest state of every event. */
  read(): Promise<Iterable<Written>>;
  /** Another one when the topic was deleted and made again. */
  logId(): Promise<string>;
}

export interface JournalOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly publisher: Publisher;
  readonly log: Log;
}

export function createJournal({ kafka, codec, namespace, publisher, log }: JournalOptions): Journal {
  const topic = topicName(namespace, "event-states");

  function messageOf(key: string, event: Known) {
    if (event === undefined) return { topic, key, value: null };
    const written = { source: "state-api", timeMs: Date.now() };
    return recordMessage(codec, namespace, { type: "EventStateChanged", event }, written);
  }

  return {
    async write(key, state) {
      const [position] = await publisher.publish([messageOf(key, state)]);
      if (position === undefined) throw new Error("a message was acknowledged without its position");
      return position.offset;
    },

    async read() {
      const found = new Map<string, Written>();
      for await (const { message } of readEach({ kafka, groupPrefix: groupName(namespace, "state-api"), topic, log })) {
        const key = message.key?.toString() ?? "";
        if (message.value === null) {
          found.delete(key);
          continue;
        }
        await codec.learn([message.value]);
        const read = readMessage(codec, "event-states", message.value);
        if (!read.ok) log.warn({ topic, offset: message.offset, reason: read.reason }, "message skipped");
        // Two instances may write one after the other what they decided the other way round.
        else if (read.event.version >= (found.get(key)?.state.version ?? 0)) {
          found.set(key, { state: read.event, offset: Number(message.offset) });
        }
      }
      return found.values();
    },

    logId: async () => (await topicIds(kafka, [topic])).get(topic) ?? "",
  };
}
