// A batch in the shape that kafkajs sends fastest.
import type { IHeaders, Message, TopicMessages } from "kafkajs";

interface Unaddressed {
  readonly topic: string;
  readonly value: Buffer | null;
  readonly headers?: Readonly<IHeaders>;
  /** Milliseconds. Only a topic that keeps the time of its producers takes it. */
  readonly timestamp?: number;
}

/** A given partition replaces the one derived from the key; the derivation needs a key of text. */
export type OutMessage = Unaddressed &
  (
    | { readonly key: string; readonly partition?: undefined }
    | { readonly key: string | Buffer | null; readonly partition: number }
  );

/** A message whose partition is settled. */
export interface Addressed {
  readonly message: OutMessage;
  readonly partition: number;
}

/** Position of a message in the log; `topic` is the name on the broker. */
export interface Acknowledged {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** The broker's time of the message; undefined when the topic keeps the time of its producers. */
  readonly recordedAt?: number | undefined;
}

export const groupKey = (topic: string, partition: number): string => `${topic}/${partition}`;

export function groupByPartition<E extends Addressed>(batch: readonly E[]): Map<string, E[]> {
  const groups = new Map<string, E[]>();
  for (const entry of batch) {
    const key = groupKey(entry.message.topic, entry.partition);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

type MessagesByPartition = Record<number, Message[]>;

/**
 * kafkajs groups the messages of a topic by partition with a reduce() that copies the groups so far for each message:
 * quadratic in the size of a batch. These messages are grouped already, and their reduce() returns the groups.
 */
export function toTopicMessages(groups: ReadonlyMap<string, readonly Addressed[]>): TopicMessages[] {
  const byTopic = new Map<string, { readonly messages: Message[]; readonly byPartition: MessagesByPartition }>();
  for (const entries of groups.values()) {
    const [first] = entries;
    if (first === undefined) continue;
    const { topic } = first.message;
    const target = byTopic.get(topic) ?? { messages: [], byPartition: {} };
    byTopic.set(topic, target);
    const messages = entries.map(toMessage);
    target.byPartition[first.partition] = messages;
    for (const message of messages) target.messages.push(message);
  }
  return Array.from(byTopic, ([topic, { messages, byPartition }]) => ({
    topic,
    messages: grouped(messages, byPartition),
  }));
}

/** The messages of one topic, by their partitions. */
export const groupedMessages = (byPartition: MessagesByPartition): Message[] =>
  grouped(Object.values(byPartition).flat(), byPartition);

const grouped = (messages: Message[], byPartition: MessagesByPartition): Message[] =>
  Object.assign(messages, { reduce: () => byPartition });

function toMessage({ message: { key, value, headers, timestamp }, partition }: Addressed): Message {
  const message = headers === undefined ? { key, value, partition } : { key, value, partition, headers };
  return timestamp === undefined ? message : { ...message, timestamp: String(timestamp) };
}
