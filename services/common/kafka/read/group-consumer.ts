// kafkajs' consumer, whose callbacks fill the inboxes. A consumer that crashes, or loses its place in the log, is
// abandoned; another one replaces it and brings a new assignment, so the owner begins again.
import type {
  Batch,
  Consumer,
  ConsumerConfig,
  ConsumerGroupJoinEvent,
  ConsumerStartBatchProcessEvent,
  EachBatchPayload,
  Kafka,
} from "kafkajs";
import type { Log } from "../../log.ts";
import { loop, pause } from "../../loop.ts";
import { paced } from "../internals/paced-fetches.ts";
import { FetchPace } from "./fetch-pace.ts";
import { partitionKey } from "./inbox.ts";
import type { Inboxes, PartitionId } from "./inboxes.ts";
import type { Membership } from "./membership.ts";

export interface GroupConsumerOptions {
  readonly kafka: Kafka;
  readonly config: ConsumerConfig;
  readonly topics: readonly string[];
  readonly inboxes: Inboxes;
  readonly membership: Membership;
  /** Milliseconds for which messages gather before the next fetch, and the most when many come. */
  readonly gatherMs: number;
  readonly maxGatherMs: number;
  readonly log: Log;
}

/** One consumer, from its start until it is abandoned. */
interface Running {
  readonly consumer: Consumer;
  /** kafkajs reports a crash only by an event, also one in the middle of starting; the start still resolves then. */
  crashed: boolean;
}

const RESTART_DELAY_MS = 500;

export interface GroupConsumer {
  start(): Promise<void>;
  /** Replaces the consumer by another one, which brings a new assignment. */
  restart(): void;
  stop(): Promise<void>;
  /** A crashing consumer refuses the call. That is harmless: the next consumer brings a new assignment. */
  command(order: (consumer: Consumer) => void): void;
  /** Resolves when the positions are committed, or the attempt has failed. Never rejects. */
  commit(positions: readonly CommittedPosition[]): Promise<void>;
}

type CommittedPosition = PartitionId & { readonly next: number };

export const createGroupConsumer = (options: GroupConsumerOptions): GroupConsumer => new ReplacedConsumer(options);

class ReplacedConsumer implements GroupConsumer {
  readonly #options: GroupConsumerOptions;
  readonly #stopping = new AbortController();
  #current: Running | undefined;
  #restarting: Promise<void> | undefined;
  readonly #uncommitted = new Map<string, CommittedPosition>();
  /** Offsets that the group has by this member, by partition. */
  readonly #committed = new Map<string, number>();
  #committing: Promise<void> | undefined;

  constructor(options: GroupConsumerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { kafka, config, topics, inboxes, gatherMs, maxGatherMs } = this.#options;
    const running: Running = { consumer: kafka.consumer(config), crashed: false };
    const { areAllOpen } = inboxes;
    const pace = new FetchPace({ gatherMs, maxGatherMs, elapsed: () => performance.now(), areAllOpen });
    this.#current = running;
    this.#watch(running);
    await running.consumer.connect();
    await running.consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await running.consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: paced(async (payload) => this.#receive(running, payload, pace), pace),
    });
  }

  restart(): void {
    if (this.#stopping.signal.aborted || this.#restarting !== undefined) return;
    const abandoned = this.#current;
    this.#current = undefined;
    this.#options.inboxes.assign([]);
    this.#restarting = this.#startAgain(abandoned).finally(() => {
      this.#restarting = undefined;
      if (this.#current?.crashed) this.restart();
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#restarting;
    await this.#current?.consumer.disconnect();
  }

  command(order: (consumer: Consumer) => void): void {
    if (this.#current === undefined) return;
    const { config, log } = this.#options;
    try {
      order(this.#current.consumer);
    } catch (error) {
      log.debug({ err: error, groupId: config.groupId }, "consumer is not running");
    }
  }

  /** One commit is under way at a time. The newest positions that come meanwhile are the next one. */
  commit(positions: readonly CommittedPosition[]): Promise<void> {
    for (const position of positions) {
      const key = partitionKey(position);
      // The group has such a position already: owners commit from time to time, also while the log is silent.
      if (this.#committed.get(key) !== position.next) this.#uncommitted.set(key, position);
    }
    this.#committing ??= this.#commitAll();
    return this.#committing;
  }

  async #commitAll(): Promise<void> {
    // The caller must know this promise before the loop can end.
    await Promise.resolve();
    while (this.#uncommitted.size > 0) {
      const positions = [...this.#uncommitted.values()];
      this.#uncommitted.clear();
      try {
        await this.#current?.consumer.commitOffsets(
          positions.map(({ topic, partition, next }) => ({ topic, partition, offset: String(next) })),
        );
        for (const position of positions) this.#committed.set(partitionKey(position), position.next);
      } catch (error) {
        this.#options.log.debug({ err: error }, "offset commit failed");
      }
    }
    // In the turn of the last check: positions that come later begin another commit.
    this.#committing = undefined;
  }

  #watch(running: Running): void {
    const { config, inboxes, membership, log } = this.#options;
    const { consumer } = running;
    const { GROUP_JOIN, CRASH, START_BATCH_PROCESS } = consumer.events;
    membership.watch(consumer);
    consumer.on(GROUP_JOIN, ({ payload }) => {
      // Meanwhile other members may have committed.
      this.#committed.clear();
      assign(consumer, payload, inboxes);
    });
    consumer.on(CRASH, ({ payload }) => {
      log.warn({ err: payload.error, groupId: config.groupId }, "consumer crashed");
      running.crashed = true;
      if (this.#current === running) this.restart();
    });
    consumer.on(START_BATCH_PROCESS, ({ payload }) => {
      if (this.#current === running) passOver(payload, inboxes);
    });
  }

  #receive(running: Running, payload: EachBatchPayload, pace: FetchPace): void {
    if (this.#current !== running) return;
    pace.received(fetchedPart(payload.batch));
    const { config, inboxes, log } = this.#options;
    fill(running.consumer, payload, inboxes, (details) => {
      log.error({ groupId: config.groupId, ...details }, "the log no longer keeps the next offset to read");
      this.restart();
    });
  }

  async #startAgain(abandoned: Running | undefined): Promise<void> {
    const { signal } = this.#stopping;
    await abandoned?.consumer.disconnect().catch(() => undefined);
    await pause(RESTART_DELAY_MS, signal);
    await loop(() => this.#hasStarted(), { pauseMs: RESTART_DELAY_MS, signal });
  }

  /** @returns undefined when the start must be tried again. */
  async #hasStarted(): Promise<true | undefined> {
    if (this.#stopping.signal.aborted) return true;
    const { config, log } = this.#options;
    try {
      await this.start();
      if (this.#current?.crashed) return undefined;
      log.info({ groupId: config.groupId }, "consumer restarted");
      return true;
    } catch (error) {
      log.warn({ err: error, groupId: config.groupId }, "consumer does not start");
      await this.#current?.consumer.disconnect().catch(() => undefined);
      return undefined;
    }
  }
}

/** Converts into the form in which kafkajs pauses and resumes. */
export const topicPartitions = ({ topic, partition }: PartitionId) => ({ topic, partitions: [partition] });

/** Fetches nothing from a partition until its owner has begun it. */
function assign(consumer: Consumer, { memberAssignment }: ConsumerGroupJoinEvent["payload"], inboxes: Inboxes): void {
  const ids = Object.entries(memberAssignment).flatMap(([topic, partitions]) =>
    partitions.map((partition) => ({ topic, partition })),
  );
  consumer.pause(ids.map(topicPartitions));
  inboxes.assign(ids);
}

/**
 * When retention has removed the expected offset, kafkajs silently continues after the gap; the owner must notice it,
 * and begins again. The owner also begins again when a batch that was fetched before its `begin` still arrives, from
 * the partition's former leader.
 */
function fill(
  consumer: Consumer,
  { batch, isStale, resolveOffset }: EachBatchPayload,
  inboxes: Inboxes,
  lost: (details: object) => void,
): void {
  const id = { topic: batch.topic, partition: batch.partition };
  const expected = inboxes.expected(id);
  if (isStale() || expected === undefined) return;
  const from = fetchedFrom(batch);
  if (from > expected) {
    lost({ ...id, expected, from });
    return;
  }
  resolveOffset(batch.lastOffset());
  const { messages, highWatermark } = batch;
  const next = Number(batch.lastOffset()) + 1;
  const full = inboxes.put(id, { messages, next, highWatermark: Number(highWatermark) });
  if (full.length > 0) consumer.pause(full.map(topicPartitions));
}

/**
 * kafkajs does not hand on a batch without messages for readers, and continues after it; only this event reports it. A
 * batch beyond the expected offset was fetched before the owner asked to begin further back.
 */
function passOver(payload: ConsumerStartBatchProcessEvent["payload"], inboxes: Inboxes): void {
  const { topic, partition, batchSize, firstOffset, lastOffset, highWatermark } = payload;
  const expected = inboxes.expected({ topic, partition });
  if (batchSize > 0 || expected === undefined) return;
  if (Number(firstOffset ?? lastOffset) > expected) return;
  const next = Number(lastOffset) + 1;
  inboxes.put({ topic, partition }, { messages: [], next, highWatermark: Number(highWatermark) });
}

const fetchedPart = (batch: Batch) => ({
  next: Number(batch.lastOffset()) + 1,
  highWatermark: Number(batch.highWatermark),
  bytes: batch.messages.reduce((sum, { value }) => sum + (value?.length ?? 0), 0),
});

/** Returns the requested offset, which kafkajs' types leave out. The messages alone do not show a gap before them. */
const fetchedFrom = (batch: Batch): number => Number(Reflect.get(batch, "fetchedOffset"));
