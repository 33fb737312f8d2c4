// Copies all topics at the same time. A message that names the position of another one waits until that one is copied.
import type { Admin, Kafka } from "kafkajs";
import type { Codec } from "../../../schemas/codec.ts";
import { groupName, type Topic, topicName, topics } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { topicIds } from "../../common/kafka/log-id.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { createLogFetcher, type LogFetcher } from "../../common/kafka/read/fetch-log.ts";
import { createPartitionEnds } from "../../common/kafka/read/partition-ends.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { growing, pause } from "../../common/loop.ts";
import { createTopicCopy, type TopicCopy } from "./copy-topic.ts";
import { createNewOffsets, type NewOffsets } from "./new-offsets.ts";
import { type PartitionCounts, targetOf, targetsOf } from "./places.ts";
import { type Copied, type Original, type PlaceInLog, type TranslateDeps, translate } from "./translate.ts";

export interface CopyLogDeps {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly codec: Codec;
  readonly log: Log;
  /** Namespaces. */
  readonly from: string;
  readonly to: string;
  readonly counts: PartitionCounts;
}

export interface LogCopy extends Part {
  readonly failed: Promise<never>;
  /** Adds topics to those that are copied. */
  follow(topics: readonly Topic[]): Promise<void>;
  /** Resolves when nothing of these topics is copied any more. */
  end(topics: readonly Topic[]): Promise<void>;
  /** Messages of these topics that are not copied, and the age of the newest moment up to which all are, ms. */
  lag(topics: readonly Topic[]): { readonly messages: number; readonly ms: number };
  /** The offset before which every message of a partition of the old topic has its copies. */
  copiedUpTo(topic: Topic, partition: number): number;
  /** The new partitions that the messages of an old one go to. */
  targetsOf(topic: Topic, partition: number): readonly number[];
  readonly copied: Copied;
}

export const allTopics = Object.keys(topics) as Topic[];

/** Pauses of a topic without new messages, each longer than the one before. */
const pauseMs = growing(50, 500);
const FETCH_BYTES = MIB;

export function createLogCopy(deps: CopyLogDeps): LogCopy {
  const { kafka } = deps;
  const stopping = new AbortController();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const fetcher = createLogFetcher(kafka, FETCH_BYTES);
  const ends = createPartitionEnds(kafka, "readers");
  const writerEnds = createPartitionEnds(kafka, "writers");
  const copies = new Map<Topic, TopicCopy>();
  const offsets = new Map<Topic, NewOffsets>();
  const running = new Map<Topic, Promise<void>>();
  const ended = new Set<Topic>();
  const endOf = async (topic: Topic, partition: number) => (await ends.ask(topicName(deps.from, topic))).get(partition);
  const copied = createCopied(deps, { copies, offsets, endOf });

  async function copy(each: TopicCopy): Promise<void> {
    for (let idle = 0; !stopping.signal.aborted && !ended.has(each.topic); ) {
      idle = (await each.round()) ? 0 : idle + 1;
      if (idle > 0) await pause(pauseMs(idle), stopping.signal);
    }
  }

  return {
    name: "log copy",
    failed: failed.promise,
    copied,
    copiedUpTo: (topic, partition) => copies.get(topic)?.copiedUpTo(partition) ?? 0,
    targetsOf: (topic, partition) => targetsOf(partition, countsOf(topic, deps.counts)),
    start: fetcher.start,
    async follow(wanted) {
      const translated = translateWith({ ...deps, copied, logIds: await logIdsOf(deps) });
      const begun = wanted.map(async (topic) => {
        const found = newOffsetsOf(deps, fetcher, topic);
        const reading = { fetcher, ends, writerEnds, offsets: found, translate: translated };
        const each = createTopicCopy({ ...deps, ...reading, ...namesOf(deps, topic), topic });
        await each.start();
        copies.set(topic, each);
        offsets.set(topic, found);
      });
      await Promise.all(begun);
      // All positions are known before the first message is translated.
      for (const topic of wanted) {
        const each = copies.get(topic);
        if (each !== undefined) running.set(topic, copy(each).catch(failed.reject));
      }
    },
    async end(wanted) {
      for (const topic of wanted) ended.add(topic);
      await Promise.all(wanted.map((topic) => running.get(topic)));
    },
    lag: (wanted) => lagOf(wanted.flatMap((topic) => copies.get(topic) ?? [])),
    async stop() {
      stopping.abort();
      await Promise.all(running.values());
      await Promise.all([...copies.values()].map((each) => each.stop()));
      await Promise.all([fetcher.stop(), ends.close(), writerEnds.close()]);
    },
  };
}

const translateWith = (deps: TranslateDeps) => (original: Original) => translate(original, deps);

const namesOf = ({ from, to }: CopyLogDeps, topic: Topic) => ({
  source: topicName(from, topic),
  target: topicName(to, topic),
  groupId: groupName(to, "repartition"),
});

function newOffsetsOf({ admin, to }: CopyLogDeps, fetcher: LogFetcher, name: Topic): NewOffsets {
  const topic = topicName(to, name);
  const range = async (partition: number) => {
    const [found] = await offsetRanges(admin, topic, [partition]);
    return found ?? { low: 0, high: 0 };
  };
  return createNewOffsets({ fetcher, topic, range });
}

async function logIdsOf({ kafka, from, to }: CopyLogDeps): Promise<TranslateDeps["logIds"]> {
  const names = { from: topicName(from, "camera-log"), to: topicName(to, "camera-log") };
  const ids = await topicIds(kafka, Object.values(names));
  return { from: ids.get(names.from) ?? "", to: ids.get(names.to) ?? "" };
}

function lagOf(copies: readonly TopicCopy[]): { readonly messages: number; readonly ms: number } {
  const lags = copies.map((each) => each.lag());
  const oldest = Math.min(...lags.map(({ completeAt }) => completeAt));
  return { messages: lags.reduce((sum, { messages }) => sum + messages, 0), ms: performance.now() - oldest };
}

interface Copying {
  readonly copies: ReadonlyMap<Topic, TopicCopy>;
  readonly offsets: ReadonlyMap<Topic, NewOffsets>;
  /** Resolves with the present end of a partition of the old topic. */
  readonly endOf: (topic: Topic, partition: number) => Promise<number | undefined>;
}

const countsOf = (topic: Topic, counts: PartitionCounts): PartitionCounts =>
  topics[topic].partitions === 1 ? { from: 1, to: 1 } : counts;

function createCopied({ counts }: CopyLogDeps, { copies, offsets, endOf }: Copying): Copied {
  async function exact(topic: Topic, target: number, original: number): Promise<PlaceInLog | undefined> {
    const found = await offsets.get(topic)?.floor(target, original);
    return found?.original === original ? { partition: target, offset: found.copy } : undefined;
  }

  return {
    async find(topic, { partition, offset }, key) {
      const copy = copies.get(topic);
      if (copy === undefined) return "later";
      if (copy.copiedUpTo(partition) <= offset) {
        // An output may name a message that the log has lost, and an event one that never was.
        return offset < ((await endOf(topic, partition)) ?? Number.POSITIVE_INFINITY) ? "later" : undefined;
      }
      const targets = targetsOf(partition, countsOf(topic, counts));
      const likely = targetOf(key, partition, countsOf(topic, counts));
      for (const target of [likely, ...targets.filter((each) => each !== likely)]) {
        const found = await exact(topic, target, offset);
        if (found !== undefined) return found;
      }
      return undefined;
    },

    async behind(topic, target, original) {
      const found = await offsets.get(topic)?.floor(target, original - 1);
      return found === undefined ? 0 : found.copy + 1;
    },
  };
}
