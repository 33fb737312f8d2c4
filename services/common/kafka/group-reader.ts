// Reads the partitions that a consumer group assigns to this process, into bounded inboxes that one loop empties at its
// own pace. kafkajs' callbacks only fill inboxes and never wait, so a slow store cannot cost the group membership; a
// full inbox pauses its partition. The owner says where to begin (`begin`); committed offsets are only a hint.
import type { Admin, ConsumerConfig, Kafka, KafkaMessage } from "kafkajs";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { agreeing } from "./agreement.ts";
import { createGroupConsumer, topicPartitions } from "./group-consumer.ts";
import { createInboxes, type IsReady, type Learn, type PartitionId } from "./inboxes.ts";
import { createMembership } from "./membership.ts";
import { ledRanges, type OffsetRange } from "./offsets.ts";
import { type Start, startOffset } from "./start-offset.ts";
import { createWatchdog } from "./watchdog.ts";

export interface Taken {
  readonly topic: string;
  readonly partition: number;
  /** Offsets ascend without a message missing; empty when only offsets without a message were passed. */
  readonly messages: readonly KafkaMessage[];
  /**
   * Offset to read next. Not simply the last message's successor: a transaction leaves offsets in the log that no
   * reader gets, those of its end marker and of aborted messages.
   */
  readonly next: number;
  /** Offset that the next message of the partition will get, as of the newest fetch. */
  readonly highWatermark: number;
}

export interface Step {
  /**
   * Set after every rebalance: all partitions now owned. The owner must forget what it knew of any partition, because
   * another process may have worked on it meanwhile, and call `begin` for each.
   */
  readonly assigned: readonly PartitionId[] | undefined;
  readonly batches: readonly Taken[];
}

export interface GroupReader extends Part {
  /** Waits for messages or a rebalance, at most idleMs. Messages of partitions that are not ready stay in place. */
  next(idleMs: number, isReady?: IsReady): Promise<Step>;
  /** Ends the wait of `next`, the current one or the coming one: a partition has become ready. */
  wake(): void;
  /**
   * Starts reading. Resolves with the offsets in the same order; one is greater than the wanted offset when the log no
   * longer keeps that, and undefined when the partition has no leader: such a partition is postponed. Rejects with
   * PositionBeyondLog before any partition has begun.
   */
  begin(starts: readonly Start[]): Promise<readonly (number | undefined)[]>;
  /** The partition comes with a new assignment of all partitions when it and its companions have leaders again. */
  postpone(id: PartitionId): void;
  /**
   * False when the assignment in which a step was taken has ended, and when the broker has not heard from us within the
   * session time-out: the group may then have given our partitions to others.
   */
  owns(id: PartitionId): boolean;
  /** Reports the owner's progress to the group, for lag monitoring and as a hint for a rebuild. */
  commit(positions: readonly (PartitionId & { readonly next: number })[]): Promise<void>;
}

export interface GroupReaderOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly log: Log;
  /** Topics whose partition of the same number the owner needs as well. */
  readonly companions?: readonly string[];
  /** How long the broker may hold back an answer without messages. A partition that is taken up again may wait as long. */
  readonly maxWaitMs?: number;
  /** Per partition. */
  readonly inboxMessages?: number;
  /** All members must have the same text; else `next` rejects, once the sessions of dead members would have ended. */
  readonly agreement?: string;
  /** Of all partitions together; each partition may exceed it by one fetch. */
  readonly inboxBytes?: number;
  /** The group gives the partitions of a dead process to others after this. */
  readonly sessionTimeoutMs?: number;
  /** `learn` of the codec: then a partition waits alone for the schemas of its messages. */
  readonly learn?: Learn;
}

const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_MS = 2_000;
const INBOX_MESSAGES = 20_000;
const INBOX_BYTES = 64 * 1024 * 1024;

export function createGroupReader(options: GroupReaderOptions): GroupReader {
  const { kafka, log, topics, groupId, agreement } = options;
  const admin = kafka.admin();
  const inboxes = createInboxes({
    maxMessages: options.inboxMessages ?? INBOX_MESSAGES,
    maxBytes: options.inboxBytes ?? INBOX_BYTES,
    learn: options.learn,
  });
  const sessionTimeoutMs = options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS;
  const membership = createMembership({ admin, groupId, agreement, sessionTimeoutMs });
  const config = consumerConfig(options, sessionTimeoutMs);
  const consumer = createGroupConsumer({ kafka, config, topics, inboxes, membership, log });
  /** Assigned partitions that have no leader, by their place. The next assignment has them again. */
  const postponed = new Map<string, PartitionId>();
  const watched = { admin, topics, companions: options.companions ?? [], groupId, inboxes, log };
  const watchdog = createWatchdog({ ...watched, postponed, onTrouble: consumer.restart });
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
      for (const id of resumable) consumer.tell((running) => running.resume([topicPartitions(id)]));
      return { assigned, batches };
    },

    async begin(starts) {
      const begun = await startOffsets(admin, starts);
      for (const { topic, partition, offset } of begun) {
        if (offset === undefined) postpone({ topic, partition });
        if (offset === undefined || !inboxes.begin({ topic, partition }, offset)) continue;
        consumer.tell((running) => {
          running.seek({ topic, partition, offset: String(offset) });
          running.resume([topicPartitions({ topic, partition })]);
        });
      }
      return begun.map(({ offset }) => offset);
    },

    postpone,
    wake: inboxes.wake,
    owns: (id) => inboxes.accepts(id) && membership.isAlive(),
    commit: consumer.commit,
  };
}

/** Rejects with PositionBeyondLog. */
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

/** Messages are answered at once; what has none is asked for again all the time, which costs the broker and every reader. */
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
  maxBytesPerPartition: 4 * 1024 * 1024,
  allowAutoTopicCreation: false,
  ...(agreement === undefined ? {} : { partitionAssigners: [agreeing(agreement)] }),
  retry: { restartOnFailure: async () => false },
});
