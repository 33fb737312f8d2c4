// Reads the partitions that a consumer group assigns to this process, into bounded inboxes that one loop empties at its
// own pace. kafkajs' callbacks only fill inboxes and never wait, so a slow store cannot cost the group membership; a
// full inbox pauses its partition. The owner chooses the first offset (`begin`); committed offsets are only a hint.
import type { Admin, ConsumerConfig, Kafka, KafkaMessage } from "kafkajs";
import type { LoadSchemas } from "../../../../schemas/codec.ts";
import { MIB } from "../../../../schemas/units.ts";
import type { Part } from "../../lifecycle.ts";
import type { Log } from "../../log.ts";
import { ledRanges, type OffsetRange } from "../offsets.ts";
import { agreeing } from "./agreement.ts";
import { createGroupConsumer, topicPartitions } from "./group-consumer.ts";
import { createInboxes, type IsReady, type PartitionId } from "./inboxes.ts";
import { createMembership } from "./membership.ts";
import { createReaderLag, measured } from "./reader-lag.ts";
import { type Start, startOffset } from "./start-offset.ts";
import { createWatchdog } from "./watchdog.ts";

export interface TakenBatch {
  readonly topic: string;
  readonly partition: number;
  /** Offsets ascend without a missing message; empty when only offsets without a message were passed. */
  readonly messages: readonly KafkaMessage[];
  /**
   * Offset to read next. It is not simply the last message's successor: a transaction leaves offsets in the log that no
   * reader receives, those of its end marker and of aborted messages.
   */
  readonly next: number;
  /** Offset that the next message of the partition will get, according to the newest fetch. */
  readonly highWatermark: number;
}

export interface ReaderStep {
  /**
   * Set after every rebalance: all partitions now owned. The owner must drop its state of every partition, because
   * another process may have worked on it meanwhile, and call `begin` for each.
   */
  readonly assigned: readonly PartitionId[] | undefined;
  readonly batches: readonly TakenBatch[];
}

export interface GroupReader extends Part {
  /** Waits for messages or a rebalance, at most idleMs. Messages of partitions that are not ready stay in place. */
  next(idleMs: number, isReady?: IsReady): Promise<ReaderStep>;
  /** Ends the wait of `next`, the current or the coming one. Called when a partition has become ready. */
  wake(): void;
  /**
   * Starts reading. Resolves with the offsets in the same order. An offset is greater than the wanted one when the log
   * no longer has that, and undefined when the partition has no leader: such a partition is postponed. Rejects with
   * PositionBeyondLog before any partition has begun.
   */
  begin(starts: readonly Start[]): Promise<readonly (number | undefined)[]>;
  /**
   * Must be called for a partition without a leader. The partition is in a new assignment of all partitions when it and
   * its companions have leaders again.
   */
  postpone(id: PartitionId): void;
  /**
   * @returns false when the assignment of the step has ended, or when the broker has not received a sign of life within
   * the session time-out: the group may then have given our partitions to others.
   */
  owns(id: PartitionId): boolean;
  /**
   * Reports the owner's progress to the group, for lag monitoring and as a hint for a rebuild. Resolves when the
   * commits under way are over. Never rejects. It may take long while the group has no coordinator.
   */
  commit(positions: readonly (PartitionId & { readonly next: number })[]): Promise<void>;
}

export interface GroupReaderOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly log: Log;
  /** Topics whose partition of the same number the owner needs as well. */
  readonly companions?: readonly string[];
  /**
   * Milliseconds for which the broker may hold back an answer without messages. A resumed partition may wait as long.
   * After a silence it may be more, while no partition is paused.
   */
  readonly maxWaitMs?: number;
  /**
   * Milliseconds for which messages gather before the next fetch of a reader that keeps up, by default 0. The first
   * message after a pause does not wait.
   */
  readonly gatherMs?: number;
  /** The most of these milliseconds, when many messages come; by default `gatherMs`. */
  readonly maxGatherMs?: number;
  /** Messages in the inbox of one partition. */
  readonly inboxMessages?: number;
  /** Text that all members must share; otherwise `next` rejects, once the sessions of dead members would have ended. */
  readonly agreement?: string;
  /** Bytes in all inboxes together; each partition may exceed it by one fetch. */
  readonly inboxBytes?: number;
  /** Milliseconds after which the group gives the partitions of a dead process to others. */
  readonly sessionTimeoutMs?: number;
  /** Function `loadSchemas` of the codec: with it, a partition waits alone for the schemas of its messages. */
  readonly loadSchemas?: LoadSchemas | undefined;
}

const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_MS = 2_000;
const INBOX_MESSAGES = 20_000;
const INBOX_BYTES = 64 * MIB;

/** Creates a reader for a shared group. Its owner must commit, because the metrics show the rest as lag. */
export const createGroupReader = (options: GroupReaderOptions): GroupReader =>
  measured(createUnmeasuredReader(options), createReaderLag(options.groupId));

/**
 * Creates a reader that is not in the metrics. A group with a random name must not be there: each of these names would
 * be a series of its own.
 */
export function createUnmeasuredReader(options: GroupReaderOptions): GroupReader {
  const { kafka, log, groupId } = options;
  const admin = kafka.admin();
  /** Assigned partitions without a leader, by topic and number. The next assignment has them again. */
  const postponed = new Map<string, PartitionId>();
  const { inboxes, membership, consumer, watchdog } = createReaderParts(options, admin, postponed);
  const postpone = (id: PartitionId) => {
    log.warn({ groupId, ...id }, "partition has no leader, it waits for one");
    postponed.set(`${id.topic}/${id.partition}`, id);
  };

  return {
    name: `reader ${groupId}`,

    async start() {
      await admin.connect();
      await consumer.start();
      watchdog.start();
    },

    async stop() {
      watchdog.stop();
      inboxes.close();
      await consumer.stop();
      await admin.disconnect();
    },

    async next(idleMs, isReady) {
      await inboxes.wait(idleMs, isReady);
      const refusal = membership.refusal();
      if (refusal !== undefined) throw refusal;
      const { assigned, batches, resumable } = inboxes.take(isReady);
      if (assigned !== undefined) postponed.clear();
      for (const id of resumable) consumer.command((running) => running.resume([topicPartitions(id)]));
      return { assigned, batches };
    },

    async begin(starts) {
      const begun = await startOffsets(admin, starts);
      for (const { topic, partition, offset } of begun) {
        if (offset === undefined) postpone({ topic, partition });
        if (offset === undefined || !inboxes.begin({ topic, partition }, offset)) continue;
        consumer.command((running) => {
          running.seek({ topic, partition, offset: String(offset) });
          running.resume([topicPartitions({ topic, partition })]);
        });
      }
      return begun.map(({ offset }) => offset);
    },

    postpone,
    wake: () => inboxes.wake(),
    owns: (id) => inboxes.accepts(id) && membership.isAlive(),
    commit: (positions) => consumer.commit(positions),
  };
}

function createReaderParts(options: GroupReaderOptions, admin: Admin, postponed: ReadonlyMap<string, PartitionId>) {
  const { kafka, log, topics, groupId, agreement, companions = [] } = options;
  const { gatherMs = 0, maxGatherMs = gatherMs } = options;
  const sessionTimeoutMs = options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS;
  const inboxes = createInboxes({
    maxMessages: options.inboxMessages ?? INBOX_MESSAGES,
    maxBytes: options.inboxBytes ?? INBOX_BYTES,
    loadSchemas: options.loadSchemas,
  });
  const membership = createMembership({ admin, groupId, agreement, sessionTimeoutMs });
  const config = consumerConfig(options, sessionTimeoutMs);
  const consumer = createGroupConsumer({ kafka, config, topics, inboxes, membership, gatherMs, maxGatherMs, log });
  const onTrouble = () => consumer.restart();
  const watchdog = createWatchdog({ admin, topics, companions, postponed, groupId, inboxes, log, onTrouble });
  return { inboxes, membership, consumer, watchdog };
}

/**
 * Resolves with the starts and their first offsets; an offset is undefined when the partition has no leader. Rejects
 * with PositionBeyondLog.
 */
async function startOffsets(admin: Admin, starts: readonly Start[]) {
  const ranges = new Map<string, readonly OffsetRange[]>();
  for (const { topic } of starts) {
    if (!ranges.has(topic)) ranges.set(topic, await ledRanges(admin, topic));
  }
  return starts.map((start) => {
    const known = ranges.get(start.topic) ?? [];
    const isLed = known.some(({ partition }) => partition === start.partition);
    return { ...start, offset: isLed ? startOffset(start, known) : undefined };
  });
}

/**
 * Milliseconds for which the broker holds back an answer without messages, at least. With less, readers would repeat
 * the request more often, which costs the broker and every reader.
 */
const MAX_WAIT_MS = 250;

const consumerConfig = (
  { groupId, maxWaitMs, agreement }: GroupReaderOptions,
  sessionTimeout: number,
): ConsumerConfig => ({
  groupId,
  sessionTimeout,
  rebalanceTimeout: Math.max(sessionTimeout, SESSION_TIMEOUT_MS),
  heartbeatInterval: Math.min(HEARTBEAT_MS, sessionTimeout / 5),
  maxWaitTimeInMs: maxWaitMs ?? MAX_WAIT_MS,
  maxBytesPerPartition: 4 * MIB,
  allowAutoTopicCreation: false,
  ...(agreement === undefined ? {} : { partitionAssigners: [agreeing(agreement)] }),
  retry: { restartOnFailure: async () => false },
});
