// Reads dead-letters. A letter without key and value is small enough to remember; the rest is read again where it is needed.
import type { Kafka } from "kafkajs";
import type { Codec, Decoded } from "../../../schemas/codec.ts";
import type { DeadLetter, DeadLetterRedriven } from "../../../schemas/events.ts";
import { groupName, topicName } from "../../../schemas/topics.ts";
import type { OffsetRange } from "../../common/kafka/offsets.ts";
import { readEach } from "../../common/kafka/read-some.ts";
import type { Log } from "../../common/log.ts";

export interface ReadLettersDeps {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly log: Log;
}

export interface LetterHead extends Omit<DeadLetter, "key" | "value"> {
  /** Length of the value; null: there is none in the letter. */
  readonly bytes: number | null;
  /** Where the letter stands in dead-letters. */
  readonly place: { readonly partition: number; readonly offset: number };
  /** The newest, if there are several. */
  readonly redriven: DeadLetterRedriven | undefined;
}

export interface Heads {
  /** By id, as they stand in the log. */
  readonly heads: ReadonlyMap<string, LetterHead>;
  /** Messages that are neither a letter nor a record of a redrive. */
  readonly unreadable: number;
}

/** Of those that are wanted, each once: after a crash of the projector a letter stands there twice. */
export async function readHeads(deps: ReadLettersDeps, wanted: (letter: DeadLetter) => boolean): Promise<Heads> {
  const heads = new Map<string, LetterHead>();
  const intern = createIntern();
  let unreadable = 0;
  for await (const { place, decoded } of readDecoded(deps)) {
    if (decoded.ok && decoded.type === "DeadLetter") {
      const { key: _key, value, ...letter } = decoded.event;
      if (heads.has(letter.id) || !wanted(decoded.event)) continue;
      const texts = { topic: intern(letter.topic), reason: intern(letter.reason) };
      heads.set(letter.id, { ...letter, ...texts, bytes: value?.length ?? null, place, redriven: undefined });
    } else if (decoded.ok && decoded.type === "DeadLetterRedriven") {
      // It stands behind its letter: both have the same key.
      const head = heads.get(decoded.event.id);
      if (head !== undefined) heads.set(head.id, { ...head, redriven: decoded.event });
    } else unreadable += 1;
  }
  return { heads, unreadable };
}

/** The whole letters, one by one as they stand in the log; those that are gone from it meanwhile are left out. */
export async function* readWhole(
  deps: ReadLettersDeps,
  heads: readonly LetterHead[],
): AsyncGenerator<DeadLetter, void> {
  const wanted = new Set(heads.map(({ place }) => `${place.partition}/${place.offset}`));
  for await (const { place, decoded } of readDecoded(deps, stretchOf(heads))) {
    if (!wanted.has(`${place.partition}/${place.offset}`)) continue;
    if (decoded.ok && decoded.type === "DeadLetter") yield decoded.event;
  }
}

interface Placed {
  readonly place: LetterHead["place"];
  readonly decoded: Decoded;
}

async function* readDecoded(
  { kafka, codec, namespace, log }: ReadLettersDeps,
  cut?: (range: OffsetRange) => OffsetRange,
): AsyncGenerator<Placed, void> {
  const topic = topicName(namespace, "dead-letters");
  const groupPrefix = groupName(namespace, "dead-letters");
  for await (const { partition, message } of readEach({ kafka, groupPrefix, topic, log }, cut)) {
    await codec.learn([message.value]);
    yield { place: { partition, offset: Number(message.offset) }, decoded: codec.decode(message.value) };
  }
}

/** From the first to the last of them. */
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

/** Topics and reasons are few, and every decoded message brings its own copy of them. */
function createIntern(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found === undefined) known.set(text, text);
    return found ?? text;
  };
}
