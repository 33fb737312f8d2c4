// Reads the topic dead-letters. The heads of letters (without key and value) are small enough to stay in memory. Whole
// letters are read again when they are needed.
import type { Kafka } from "kafkajs";
import type { Codec, DecodedAs } from "../../schemas/codec.ts";
import type { DeadLetter, DeadLetterRedriven } from "../../schemas/events.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { type RecordOf, topicName } from "../../schemas/topics.ts";
import type { OffsetRange } from "../common/kafka/offsets.ts";
import { newest, readEach } from "../common/kafka/read/read-some.ts";
import type { Log } from "../common/log.ts";

export interface ReadLettersDeps {
  readonly kafka: Kafka;
  /** Begins the name of the group that reads. */
  readonly groupPrefix: string;
  readonly codec: Codec;
  readonly namespace: string;
  readonly log: Log;
}

export interface LetterHead extends Omit<DeadLetter, "key" | "value"> {
  /** Length of the value; null when the letter has no value. */
  readonly bytes: number | null;
  /** Position of the letter in dead-letters. */
  readonly place: { readonly partition: number; readonly offset: number };
  /** The newest redrive, if there are several. */
  readonly redriven: DeadLetterRedriven | undefined;
}

export interface Heads {
  /** Heads by id, in log order. */
  readonly heads: ReadonlyMap<string, LetterHead>;
  /** Messages that are neither a letter nor a record of a redrive. */
  readonly unreadable: number;
}

/** Reads the heads of the letters among the newest `count` messages of each partition. */
export const readNewestHeads = (deps: ReadLettersDeps, count: number): Promise<Heads> =>
  readHeads(deps, () => true, newest(count));

/** Reads the head of each wanted letter, once: after a crash of the projector a letter may be in the topic twice. */
export async function readHeads(
  deps: ReadLettersDeps,
  wanted: (letter: DeadLetter) => boolean,
  cut?: (range: OffsetRange) => OffsetRange,
): Promise<Heads> {
  const heads = new Map<string, LetterHead>();
  const intern = createIntern();
  let unreadable = 0;
  for await (const { place, record } of readRecords(deps, cut)) {
    if (!record.ok) unreadable += 1;
    else if (record.type === "DeadLetter") {
      const { key: _key, value, ...letter } = record.event;
      if (heads.has(letter.id) || !wanted(record.event)) continue;
      const texts = { topic: intern(letter.topic), reason: intern(letter.reason) };
      heads.set(letter.id, { ...letter, ...texts, bytes: value?.length ?? null, place, redriven: undefined });
    } else {
      // This record follows its letter in the log: both have the same key.
      const head = heads.get(record.event.id);
      if (head !== undefined) heads.set(head.id, { ...head, redriven: record.event });
    }
  }
  return { heads, unreadable };
}

/** Reads the whole letters, one by one in log order; letters that have left the log meanwhile are skipped. */
export async function* readWhole(
  deps: ReadLettersDeps,
  heads: readonly LetterHead[],
): AsyncGenerator<DeadLetter, void> {
  const wanted = new Set(heads.map(({ place }) => `${place.partition}/${place.offset}`));
  for await (const { place, record } of readRecords(deps, stretchOf(heads))) {
    if (!wanted.has(`${place.partition}/${place.offset}`)) continue;
    if (record.ok && record.type === "DeadLetter") yield record.event;
  }
}

interface Placed {
  readonly place: LetterHead["place"];
  readonly record: DecodedAs<RecordOf<"dead-letters">>;
}

async function* readRecords(
  { kafka, groupPrefix, codec, namespace, log }: ReadLettersDeps,
  cut?: (range: OffsetRange) => OffsetRange,
): AsyncGenerator<Placed, void> {
  const topic = topicName(namespace, "dead-letters");
  for await (const { partition, message } of readEach({ kafka, groupPrefix, topic, log }, cut)) {
    await codec.loadSchemas([message.value]);
    yield {
      place: { partition, offset: Number(message.offset) },
      record: readMessage(codec, "dead-letters", message.value),
    };
  }
}

/** Returns a function that cuts a partition's range to the offsets from the first to the last of these letters. */
function stretchOf(heads: readonly LetterHead[]): (range: OffsetRange) => OffsetRange {
  const stretches = new Map<number, { low: number; high: number }>();
  for (const { place } of heads) {
    const { low, high } = stretches.get(place.partition) ?? { low: place.offset, high: 0 };
    stretches.set(place.partition, { low: Math.min(low, place.offset), high: Math.max(high, place.offset + 1) });
  }
  return ({ partition, low, high }) => {
    const wanted = stretches.get(partition) ?? { low: high, high };
    return { partition, low: Math.max(low, wanted.low), high: Math.min(high, wanted.high) };
  };
}

/**
 * Returns a function that returns the same copy for all equal texts. There are few different topics and reasons, but
 * each decoded message has copies of its own, which would fill the memory.
 */
function createIntern(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found === undefined) known.set(text, text);
    return found ?? text;
  };
}
