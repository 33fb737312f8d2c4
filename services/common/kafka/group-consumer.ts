// kafkajs' consumer, whose callbacks fill the inboxes. A consumer that crashes, or loses its place in the log, is
// abandoned; another one replaces it and brings a new assignment, so the owner begins anew.
import type {
  Batch,
  Consumer,
  ConsumerConfig,
  ConsumerGroupJoinEvent,
  ConsumerStartBatchProcessEvent,
  EachBatchPayload,
  Kafka,
} from "kafkajs";
import type { Log } from "../log.ts";
import { loop, pause } from "../loop.ts";
import type { Inboxes, PartitionId } from "./inboxes.ts";
import type { Membership } from "./membership.ts";

export interface GroupConsumerOptions {
  readonly kafka: Kafka;
  readonly config: ConsumerConfig;
  readonly topics: readonly string[];
  readonly inboxes: Inboxes;
  readonly membership: Membership;
  readonly log: Log;
}

/** One consumer, from its start until it is abandoned. */
interface Running {
  readonly consumer: Consumer;
  /** kafkajs reports a crash only by an event, also one in the middle of starting; the start still resolves then. */
  crashed: boolean;
}

const RESTART_DELAY_MS = 500;

export function createGroupConsumer(options: GroupConsumerOptions) {
  const { kafka, config, inboxes, membership, log } = options;
  const { groupId } = config;
  const stopping = new AbortController();
  let current: Running | undefined;
  let restarting: Promise<void> | undefined;

  async function startOne(): Promise<void> {
    const running: Running = { consumer: kafka.consumer(config), crashed: false };
    current = running;
    const { consumer } = running;
    membership.watch(consumer);
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => assign(consumer, payload, inboxes));
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      log.warn({ err: payload.error, groupId }, "consumer crashed");
      running.crashed = true;
      if (current === running) restart();
    });
    const isCurrent = () => current === running;
    consumer.on(consumer.events.START_BATCH_PROCESS, ({ payload }) => {
      if (isCurrent()) passOver(payload, inboxes);
    });
    const lost = (details: object) => {
      log.error({ groupId, ...details }, "the log no longer keeps the next offset to read");
      restart();
    };
    await consumer.connect();
    await consumer.subscribe({ topics: [...options.topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: async (payload) => {
        if (isCurrent()) fill(consumer, payload, inboxes, lost);
      },
    });
  }

  function restart(): void {
    if (stopping.signal.aborted || restarting !== undefined) return;
    const abandoned = current;
    current = undefined;
    inboxes.assign([]);
    restarting = startAgain(abandoned).finally(() => {
      restarting = undefined;
      if (current?.crashed) restart();
    });
  }

  async function startAgain(abandoned: Running | undefined): Promise<void> {
    await abandoned?.consumer.disconnect().catch(() => undefined);
    await pause(RESTART_DELAY_MS, stopping.signal);
    await loop(hasStarted, { pauseMs: RESTART_DELAY_MS, signal: stopping.signal });
  }

  /** undefined: the start must be tried again. */
  async function hasStarted(): Promise<true | undefined> {
    if (stopping.signal.aborted) return true;
    try {
      await startOne();
      if (current?.crashed) return undefined;
      log.info({ groupId }, "consumer restarted");
      return true;
    } catch (error) {
      log.warn({ err: error, groupId }, "consumer does not start");
      await current?.consumer.disconnect().catch(() => undefined);
      return undefined;
    }
  }

  return {
    start: startOne,
    restart,

    async stop(): Promise<void> {
      stopping.abort();
      await restarting;
      await current?.consumer.disconnect();
    },

    /** A crashing consumer refuses the order. That is harmless: the next consumer brings a new assignment. */
    tell(order: (consumer: Consumer) => void): void {
      if (current === undefined) return;
      try {
        order(current.consumer);
      } catch (error) {
        log.debug({ err: error, groupId }, "consumer is not running");
      }
    },

    async commit(positions: readonly (PartitionId & { readonly next: number })[]): Promise<void> {
      try {
        await current?.consumer.commitOffsets(
          positions.map(({ topic, partition, next }) => ({ topic, partition, offset: String(next) })),
        );
      } catch (error) {
        log.debug({ err: error }, "offset commit failed");
      }
    },
  };
}

/** In the form in which kafkajs pauses and resumes. */
export const topicPartitions = ({ topic, partition }: PartitionId) => ({ topic, partitions: [partition] });

/** Nothing is fetched from a partition until its owner has said where to begin. */
function assign(consumer: Consumer, { memberAssignment }: ConsumerGroupJoinEvent["payload"], inboxes: Inboxes): void {
  const ids = Object.entries(memberAssignment).flatMap(([topic, partitions]) =>
    partitions.map((partition) => ({ topic, partition })),
  );
  consumer.pause(ids.map(topicPartitions));
  inboxes.assign(ids);
}

/**
 * When retention has removed the expected offset, kafkajs silently goes on after the gap; the owner must know, and
 * begins anew. The owner also begins anew when a batch that was fetched before its `begin` still arrives, from the
 * partition's former leader.
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

/** The offset that was asked for, which kafkajs' types leave out. The messages alone do not show a gap before them. */
const fetchedFrom = (batch: Batch): number => Number(Reflect.get(batch, "fetchedOffset"));
