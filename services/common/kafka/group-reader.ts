// Reads the partitions that a consumer group assigns to this process, into bounded inboxes that one loop empties at its
// own pace. kafkajs' callbacks only fill inboxes and never wait, so a slow store cannot cost the group membership; a full
// inbox pauses its partition. Where to begin is said by the owner (`begin`), not by committed offsets: they are a hint.
import type {
  Batch,
  Consumer,
  ConsumerConfig,
  ConsumerStartBatchProcessEvent,
  EachBatchPayload,
  Kafka,
  KafkaMessage,
} from "kafkajs";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { agreeing, disagreement, isDisagreement } from "./agreement.ts";
import { createInboxes, type IsReady, type PartitionId } from "./inboxes.ts";
import { type OffsetRange, offsetRanges } from "./offsets.ts";
import { type Start, startOffset } from "./start-offset.ts";
import { createWatchdog } from "./watchdog.ts";

export interface Taken {
  readonly topic: string;
  readonly partition: number;
  /** Offsets ascend without a message missing; empty when only offsets without a message were passed. */
  readonly messages: readonly KafkaMessage[];
  /**
   * Offset to read next. Not simply the last message's successor: a transaction leaves offsets in the log that no reader
   * gets, for the mark of its end and for what it took back.
   */
  readonly next: number;
  /** Offset that the next message of the partition will get, as of the newest fetch. */
  readonly highWatermark: number;
}

/** The values of all messages, in order. */
export function* valuesOf(batches: readonly Taken[]): Generator<Buffer | null> {
  for (const { messages } of batches) for (const { value } of messages) yield value;
}

export interface Step {
  /**
   * Set after every rebalance: all partitions now owned. What was known of any partition before is void, because
   * another process may have worked on it meanwhile; call `begin` for each.
   */
  readonly assigned: readonly PartitionId[] | undefined;
  readonly batches: readonly Taken[];
}

export interface GroupReader extends Part {
  /** Waits for messages or a rebalance, at most idleMs. Messages of partitions that are not ready stay where they are. */
  next(idleMs: number, isReady?: IsReady): Promise<Step>;
  /** Ends the wait of `next`, the current one or the coming one: a partition has become ready. */
  wake(): void;
  /**
   * Starts reading. Resolves with the offsets in the same order; one is greater than the wanted offset when the log no
   * longer keeps that. Rejects with PositionBeyondLog before any partition has begun.
   */
  begin(starts: readonly Start[]): Promise<readonly number[]>;
  /**
   * False when the assignment in which a step was taken stands no more, and when the group may have given its partitions
   * to others without our knowing: the broker has not heard from us within the session time-out.
   */
  owns(id: PartitionId): boolean;
  /** Tells the group how far we are, for lag monitoring only. */
  commit(positions: readonly (PartitionId & { readonly next: number })[]): Promise<void>;
}

export interface GroupReaderOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly log: Log;
  /** How long the broker may hold back an answer to gather messages. */
  readonly maxWaitMs?: number;
  /** Per partition. */
  readonly inboxMessages?: number;
  /** All members must have the same text. Otherwise `next` rejects, once the session of a dead member would have ended. */
  readonly agreement?: string;
  /** Of all partitions together; one fetch of each comes on top. */
  readonly inboxBytes?: number;
  /** The group gives the partitions of a dead process to others after this. */
  readonly sessionTimeoutMs?: number;
}

const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_MS = 2_000;
const INBOX_MESSAGES = 20_000;
const INBOX_BYTES = 64 * 1024 * 1024;
/** The requests with which the session time-out begins anew. */
const RENEWALS: ReadonlySet<string> = new Set(["SyncGroup", "Heartbeat"]);
const RESTART_DELAY_MS = 500;
/** For the broker to notice that the session of a dead member has ended. */
const DISAGREEMENT_GRACE_MS = 3_000;

export function createGroupReader(options: GroupReaderOptions): GroupReader {
  const { kafka, log, topics, groupId, agreement } = options;
  const admin = kafka.admin();
  const inboxes = createInboxes({
    maxMessages: options.inboxMessages ?? INBOX_MESSAGES,
    maxBytes: options.inboxBytes ?? INBOX_BYTES,
  });
  const sessionTimeout = options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS;
  const watchdog = createWatchdog({ admin, topics, groupId, inboxes, log, onTrouble: restart });
  let consumer: Consumer | undefined;
  let stopping = false;
  let restarting: Promise<void> | undefined;
  /** When the last request was sent that the group took as a sign of life. */
  let heardAt = 0;
  let disagreesSince: number | undefined;
  let refused: Error | undefined;
  /** kafkajs tells of a crash by an event only, also of one in the middle of starting, which then counts as started. */
  const crashed = new WeakSet<Consumer>();

  async function startConsumer(): Promise<void> {
    const started = kafka.consumer(consumerConfig(options, sessionTimeout));
    consumer = started;
    // Not when the answer is dealt with: a process that hangs does that late.
    let sentAt = 0;
    started.on(started.events.REQUEST, ({ payload }) => {
      if (RENEWALS.has(payload.apiName)) sentAt = payload.sentAt;
    });
    started.on(started.events.HEARTBEAT, () => {
      heardAt = sentAt;
    });
    started.on(started.events.GROUP_JOIN, ({ payload }) => {
      heardAt = sentAt;
      disagreesSince = undefined;
      const ids = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      );
      started.pause(ids.map(({ topic, partition }) => ({ topic, partitions: [partition] })));
      inboxes.assign(ids);
    });
    started.on(started.events.CRASH, ({ payload }) => {
      log.warn({ err: payload.error, groupId }, "consumer crashed");
      crashed.add(started);
      if (agreement !== undefined && isDisagreement(payload.error)) void judge(agreement);
      if (consumer === started) restart();
    });
    started.on(started.events.START_BATCH_PROCESS, ({ payload }) => passOver(started, payload));
    await started.connect();
    await started.subscribe({ topics: [...topics], fromBeginning: true });
    await started.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: async (payload) => fill(started, payload),
    });
  }

  /**
   * When retention was faster kafkajs goes on behind what is gone in silence; the owner must get to know, and begins anew.
   * So it does when a batch that was fetched before it began comes after all, from a broker that led the partition before.
   */
  function fill(from: Consumer, { batch, isStale, resolveOffset }: EachBatchPayload): void {
    const id = { topic: batch.topic, partition: batch.partition };
    const expected = inboxes.expected(id);
    if (from !== consumer || isStale() || expected === undefined) return;
    if (fetchedFrom(batch) > expected) {
      log.error(
        { groupId, ...id, expected, from: fetchedFrom(batch) },
        "the log does not keep what was to be read next",
      );
      restart();
      return;
    }
    resolveOffset(batch.lastOffset());
    const { messages, highWatermark } = batch;
    const next = Number(batch.lastOffset()) + 1;
    const full = inboxes.put(id, { messages, next, highWatermark: Number(highWatermark) });
    if (full.length > 0) from.pause(full.map(({ topic, partition }) => ({ topic, partitions: [partition] })));
  }

  /**
   * kafkajs does not hand on a batch without messages for readers, and continues after it; only this event reports it. A
   * batch beyond the expected offset was fetched before the owner asked to begin further back.
   */
  function passOver(from: Consumer, payload: ConsumerStartBatchProcessEvent["payload"]): void {
    const { topic, partition, batchSize, firstOffset, lastOffset, highWatermark } = payload;
    const expected = inboxes.expected({ topic, partition });
    if (from !== consumer || batchSize > 0 || expected === undefined) return;
    if (Number(firstOffset ?? lastOffset) > expected) return;
    const next = Number(lastOffset) + 1;
    inboxes.put({ topic, partition }, { messages: [], next, highWatermark: Number(highWatermark) });
  }

  /** A consumer that is just crashing refuses; the next one brings a new assignment, and all begins anew. */
  function ifRunning(tell: (running: Consumer) => void): void {
    if (consumer === undefined) return;
    try {
      tell(consumer);
    } catch (error) {
      log.debug({ err: error, groupId }, "consumer is not running");
    }
  }

  /** A member that died without a word still counts until its session has ended. */
  async function judge(text: string): Promise<void> {
    disagreesSince ??= performance.now();
    if (performance.now() - disagreesSince < sessionTimeout + DISAGREEMENT_GRACE_MS) return;
    refused ??= await disagreement(admin, groupId, text);
  }

  function restart(): void {
    if (stopping || restarting !== undefined) return;
    const abandoned = consumer;
    consumer = undefined;
    inboxes.assign([]);
    restarting = startAgain(abandoned).finally(() => {
      restarting = undefined;
      if (consumer !== undefined && crashed.has(consumer)) restart();
    });
  }

  async function startAgain(abandoned: Consumer | undefined): Promise<void> {
    await abandoned?.disconnect().catch(() => undefined);
    while (!stopping) {
      await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
      try {
        await startConsumer();
        if (consumer !== undefined && crashed.has(consumer)) continue;
        log.info({ groupId }, "consumer restarted");
        return;
      } catch (error) {
        log.warn({ err: error, groupId }, "consumer does not start");
        await consumer?.disconnect().catch(() => undefined);
      }
    }
  }

  return {
    name: `reader ${groupId}`,

    async start() {
      await admin.connect();
      await startConsumer();
      watchdog.start();
    },

    async stop() {
      stopping = true;
      watchdog.stop();
      inboxes.close();
      await restarting;
      await consumer?.disconnect();
      await admin.disconnect();
    },

    async next(idleMs, isReady) {
      await inboxes.wait(idleMs, isReady);
      if (refused !== undefined) throw refused;
      const { assigned, batches, resumable } = inboxes.take(isReady);
      for (const { topic, partition } of resumable) {
        ifRunning((running) => running.resume([{ topic, partitions: [partition] }]));
      }
      return { assigned, batches };
    },

    async begin(starts) {
      const ranges = new Map<string, readonly OffsetRange[]>();
      for (const { topic } of starts) {
        if (!ranges.has(topic)) ranges.set(topic, await offsetRanges(admin, topic));
      }
      const begun = starts.map((start) => ({ ...start, offset: startOffset(start, ranges.get(start.topic) ?? []) }));
      for (const { topic, partition, offset } of begun) {
        if (!inboxes.begin({ topic, partition }, offset)) continue;
        ifRunning((running) => {
          running.seek({ topic, partition, offset: String(offset) });
          running.resume([{ topic, partitions: [partition] }]);
        });
      }
      return begun.map(({ offset }) => offset);
    },

    wake: inboxes.wake,

    owns: (id) => inboxes.accepts(id) && Date.now() - heardAt < sessionTimeout,

    async commit(positions) {
      try {
        await consumer?.commitOffsets(
          positions.map(({ topic, partition, next }) => ({ topic, partition, offset: String(next) })),
        );
      } catch (error) {
        log.debug({ err: error }, "offset commit failed");
      }
    },
  };
}

/** The offset that was asked for, which kafkajs' types leave out. What a log has lost in between is not in the messages. */
const fetchedFrom = (batch: Batch): number => Number(Reflect.get(batch, "fetchedOffset"));

const consumerConfig = (
  { groupId, maxWaitMs, agreement }: GroupReaderOptions,
  sessionTimeout: number,
): ConsumerConfig => ({
  groupId,
  sessionTimeout,
  rebalanceTimeout: Math.max(sessionTimeout, SESSION_TIMEOUT_MS),
  heartbeatInterval: Math.min(HEARTBEAT_MS, sessionTimeout / 5),
  maxWaitTimeInMs: maxWaitMs ?? 50,
  maxBytesPerPartition: 4 * 1024 * 1024,
  allowAutoTopicCreation: false,
  ...(agreement === undefined ? {} : { partitionAssigners: [agreeing(agreement)] }),
  retry: { restartOnFailure: async () => false },
});
