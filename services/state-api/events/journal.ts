// The topic of the states: it has every order that a caller received, and restores a Redis that has lost states.
import type { Kafka } from "kafkajs";
import type { CurrentEvent } from "../../../projections/event-state/types.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { EventStateChanged } from "../../../schemas/events.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { groupName, topicName } from "../../../schemas/topics.ts";
import { topicIds } from "../../common/kafka/log-id.ts";
import { readEach } from "../../common/kafka/read/read-some.ts";
import type { Publisher } from "../../common/kafka/write/publisher.ts";
import type { Log } from "../../common/log.ts";

export interface JournaledState {
  readonly state: EventStateChanged;
  readonly offset: number;
}

export interface Journal {
  /**
   * Resolves with the offset when the state is durable. With undefined, the event is forgotten, and compaction drops
   * it.
   */
  write(key: string, state: CurrentEvent): Promise<number>;
  /** Reads the newest state of every event. */
  read(): Promise<Iterable<JournaledState>>;
  /** Changes when the topic was deleted and created again. */
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

  function messageOf(key: string, event: CurrentEvent) {
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
      const found = new Map<string, JournaledState>();
      for await (const { message } of readEach({ kafka, groupPrefix: groupName(namespace, "state-api"), topic, log })) {
        const key = message.key?.toString() ?? "";
        if (message.value === null) {
          found.delete(key);
          continue;
        }
        await codec.loadSchemas([message.value], { topic });
        const read = readMessage(codec, "event-states", message.value);
        if (!read.ok) log.warn({ topic, offset: message.offset, reason: read.reason }, "message skipped");
        // Two instances may write their decisions in the opposite order of deciding.
        else if (read.event.version >= (found.get(key)?.state.version ?? 0)) {
          found.set(key, { state: read.event, offset: Number(message.offset) });
        }
      }
      return found.values();
    },

    logId: async () => (await topicIds(kafka, [topic])).get(topic) ?? "",
  };
}
