// Copies one topic in transactions: the copies of a portion and the position behind their originals become visible
// together, so a copy that ends at any moment and begins again loses nothing and repeats nothing.
import type { Admin, Kafka, Message, Producer } from "kafkajs";
import type { Codec } from "../../../schemas/codec.ts";
import { type Topic, topics } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import type { FetchedMessages, LogFetcher } from "../../common/kafka/read/fetch-log.ts";
import type { EndOffsets, PartitionEnds } from "../../common/kafka/read/partition-ends.ts";
import { groupedMessages } from "../../common/kafka/write/topic-messages.ts";
import type { Log } from "../../common/log.ts";
import { loop, untilDone } from "../../common/loop.ts";
import type { NewOffsets } from "./new-offsets.ts";
import { type PartitionCounts, targetsOf } from "./places.ts";
import type { Copy, Original } from "./translate.ts";

export interface TopicCopyDeps {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly codec: Codec;
  readonly log: Log;
  readonly topic: Topic;
  /** Names on the broker. */
  readonly source: string;
  readonly target: string;
  /** Partitions of the topics with a key. */
  readonly counts: PartitionCounts;
  /** The group whose offsets are the positions. The names of the transactions begin with it. */
  readonly groupId: string;
  readonly fetcher: LogFetcher;
  /** The ends for readers: nothing of an unfinished transaction is copied. */
  readonly ends: PartitionEnds;
  /** The ends for writers: the next copy gets this offset. */
  readonly writerEnds: PartitionEnds;
  readonly offsets: NewOffsets;
  readonly translate: (original: Original) => Promise<readonly Copy[] | "later">;
}

export interface TopicCopy {
  readonly topic: Topic;
  /** Ends every other process that copies the topic, and finds the positions. */
  start(): Promise<void>;
  /** Copies a portion. Resolves with false when there was nothing to copy. */
  round(): Promise<boolean>;
  /** The offset before which every message of the partition has its copies. */
  copiedUpTo(partition: number): number;
  /** Messages that are not copied yet, and the newest time (performance.now()) up to which all are copied. */
  lag(): { readonly messages: number; readonly completeAt: number };
  stop(): Promise<void>;
}

/** Bytes of the messages of one partition in a transaction; their copies are one batch of the broker. */
const PORTION_BYTES = 2 * MIB;
const PORTION_MESSAGES = 5_000;
/**
 * The first transaction of a cluster makes Kafka create the topic of its coordinators, which takes longer than kafkajs
 * tries. A missing right on transactional ids fails in the same way, so the command does not wait for ever.
 */
const COORDINATOR_WITHIN_MS = 30_000;
const COORDINATOR_PAUSE_MS = 500;

export const createTopicCopy = (deps: TopicCopyDeps): TopicCopy => new RunningCopy(deps);

interface Portion {
  readonly partition: number;
  /** Position behind the originals. */
  readonly next: number;
  readonly copies: readonly { readonly copy: Copy; readonly original: number }[];
}

class RunningCopy implements TopicCopy {
  readonly topic: Topic;
  readonly #deps: TopicCopyDeps;
  readonly #counts: PartitionCounts;
  readonly #producer: Producer;
  /** Positions behind the originals that are copied and committed, by partition. */
  readonly #positions = new Map<number, number>();
  /** Offset of the next copy, by new partition. */
  readonly #nextCopies = new Map<number, number>();
  #lag = { messages: Number.POSITIVE_INFINITY, completeAt: Number.NEGATIVE_INFINITY };
  /** Ends of the topic that the copy has yet to reach, and the time at which they were the ends. */
  #goal: { readonly at: number; readonly ends: EndOffsets } | undefined;

  constructor(deps: TopicCopyDeps) {
    this.#deps = deps;
    this.topic = deps.topic;
    this.#counts = topics[deps.topic].partitions === 1 ? { from: 1, to: 1 } : deps.counts;
    this.#producer = deps.kafka.producer({
      transactionalId: `${deps.groupId}.${deps.topic}`,
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      // The messages are grouped by their partitions already.
      createPartitioner: () => () => 0,
    });
  }

  async start(): Promise<void> {
    const { admin, source, target, groupId, writerEnds } = this.#deps;
    await this.#producer.connect();
    // The broker ends the transaction of an earlier process before it admits this one.
    const begin = () => this.#producer.transaction();
    const begun = await untilDone(begin, () => true, {
      pauseMs: COORDINATOR_PAUSE_MS,
      withinMs: COORDINATOR_WITHIN_MS,
    });
    await begun.abort();
    for (const [partition, end] of await endsOfAll(writerEnds, target)) this.#nextCopies.set(partition, end);
    const [found] = await admin.fetchOffsets({ groupId, topics: [source] });
    const committed = new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    for (const { partition, low } of await offsetRanges(admin, source)) {
      this.#positions.set(partition, await this.#begin(partition, low, committed.get(partition) ?? -1));
    }
  }

  async #begin(partition: number, low: number, committed: number): Promise<number> {
    const { log, source, target } = this.#deps;
    if (committed < 0 && (await this.#hasCopies(partition))) {
      throw new Error(
        `${target} has messages, but nobody knows how far ${source}/${partition} was copied: ` +
          "delete the topics of the new namespace and its database, and begin again",
      );
    }
    if (committed >= 0 && committed < low) {
      log.warn(
        { topic: source, partition, from: committed, to: low },
        "retention removed messages before they were copied",
      );
    }
    return Math.max(committed, low);
  }

  /** A process that was killed in its first transaction has left offsets behind, but no message that readers get. */
  async #hasCopies(partition: number): Promise<boolean> {
    const { admin, fetcher, target } = this.#deps;
    const targets = targetsOf(partition, this.#counts);
    for (const { partition: each, low } of await offsetRanges(admin, target, targets)) {
      for (let at = low; ; ) {
        const { messages, next } = await fetcher.fetch({ topic: target, partition: each }, at);
        if (messages.length > 0) return true;
        if (next === at) break;
        at = next;
      }
    }
    return false;
  }

  copiedUpTo(partition: number): number {
    return this.#positions.get(partition) ?? 0;
  }

  lag() {
    return this.#lag;
  }

  async round(): Promise<boolean> {
    const { source, ends } = this.#deps;
    const at = performance.now();
    const now = await ends.ask(source);
    const behind = [...now].flatMap(([partition, end = 0]) => (end > this.copiedUpTo(partition) ? [partition] : []));
    this.#measure({ at, ends: now });
    if (behind.length === 0) return false;
    const portions: Portion[] = [];
    for (const [i, fetched] of (await Promise.all(behind.map((each) => this.#fetch(each)))).entries()) {
      portions.push(await this.#portionOf(behind[i] ?? 0, fetched));
    }
    const moved = portions.filter(({ partition, next }) => next > this.copiedUpTo(partition));
    await this.#commit(moved);
    for (const { partition, next } of moved) this.#positions.set(partition, next);
    return moved.length > 0;
  }

  #measure(present: { readonly at: number; readonly ends: EndOffsets }): void {
    const left = (ends: EndOffsets) =>
      [...ends].reduce((sum, [partition, end]) => sum + Math.max(0, (end ?? Infinity) - this.copiedUpTo(partition)), 0);
    const goal = this.#goal ?? present;
    const isReached = left(goal.ends) === 0;
    this.#goal = isReached ? undefined : goal;
    this.#lag = { messages: left(present.ends), completeAt: isReached ? goal.at : this.#lag.completeAt };
  }

  #fetch(partition: number): Promise<FetchedMessages> {
    const { fetcher, source } = this.#deps;
    return fetcher.fetch({ topic: source, partition }, this.copiedUpTo(partition));
  }

  async #portionOf(partition: number, { messages, next }: FetchedMessages): Promise<Portion> {
    const { codec, source, translate, offsets, topic } = this.#deps;
    const values = messages.map(({ value }) => value);
    const decodable = (await codec.loadSchemas(values, { topic: source })) ?? values.length;
    const copies: Portion["copies"][number][] = [];
    let bytes = 0;
    for (const [i, message] of messages.entries()) {
      const offset = Number(message.offset);
      if (i >= decodable || bytes > PORTION_BYTES || copies.length >= PORTION_MESSAGES) {
        return { partition, next: offset, copies };
      }
      const translated = await translate({ topic, partition, message });
      if (translated === "later") return { partition, next: offset, copies };
      for (const copy of translated) {
        const place = this.#nextCopies.get(copy.partition) ?? 0;
        this.#nextCopies.set(copy.partition, place + 1);
        offsets.assigned(copy.partition, { original: offset, copy: place });
        copies.push({ copy, original: offset });
        bytes += (copy.value?.length ?? 0) + (copy.key?.length ?? 0);
      }
    }
    return { partition, next, copies };
  }

  async #commit(portions: readonly Portion[]): Promise<void> {
    const { source, target, groupId } = this.#deps;
    const byPartition: { [partition: number]: Message[] } = {};
    for (const { copy } of portions.flatMap(({ copies }) => copies)) {
      const { partition, key, value, headers, timestamp } = copy;
      byPartition[partition] ??= [];
      byPartition[partition].push({ partition, key, value, headers, timestamp });
    }
    const targets = Object.keys(byPartition).map(Number);
    if (targets.length === 0) return;
    const transaction = await this.#producer.transaction();
    try {
      const sent = await transaction.sendBatch({
        acks: -1,
        topicMessages: [{ topic: target, messages: groupedMessages(byPartition) }],
      });
      for (const { partition, baseOffset } of sent) {
        // Events of the portion may name these offsets.
        const expected = (this.#nextCopies.get(partition) ?? 0) - (byPartition[partition]?.length ?? 0);
        if (Number(baseOffset) !== expected) {
          throw new Error(`somebody else writes to ${target}/${partition}: ${baseOffset} is not ${expected}`);
        }
      }
      const positions = portions.map(({ partition, next }) => ({ partition, offset: String(next) }));
      await transaction.sendOffsets({ consumerGroupId: groupId, topics: [{ topic: source, partitions: positions }] });
      await transaction.commit();
    } catch (error) {
      await transaction.abort().catch(() => undefined);
      throw error;
    }
    // The mark of the transaction takes an offset, too.
    for (const partition of targets) this.#nextCopies.set(partition, (this.#nextCopies.get(partition) ?? 0) + 1);
  }

  async stop(): Promise<void> {
    await this.#producer.disconnect();
  }
}

const ENDS_PAUSE_MS = 500;
const ENDS_WITHIN_MS = 60_000;

/** Waits for a while for partitions whose leaders do not answer. */
async function endsOfAll(ends: PartitionEnds, topic: string): Promise<Map<number, number>> {
  const known = async () => {
    const found = [...(await ends.ask(topic))];
    const led = found.flatMap(([partition, end]) => (end === undefined ? [] : [[partition, end] as const]));
    return led.length === found.length ? new Map(led) : undefined;
  };
  const found = await loop(known, { pauseMs: ENDS_PAUSE_MS, withinMs: ENDS_WITHIN_MS });
  if (found === undefined) throw new Error(`partitions of ${topic} have no leader`);
  return found;
}
