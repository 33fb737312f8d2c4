// Follows topics outside any shared group: every instance that follows sees every message.
import { randomUUID } from "node:crypto";
import type { Kafka } from "kafkajs";
import type { LoadSchemas } from "../../../../schemas/codec.ts";
import { messageOf } from "../../../../schemas/errors.ts";
import type { Part } from "../../lifecycle.ts";
import type { Log } from "../../log.ts";
import { loop } from "../../loop.ts";
import { topicIds } from "../log-id.ts";
import { awaitEnds } from "./await-ends.ts";
import { createUnmeasuredReader, type GroupReader, type TakenBatch } from "./group-reader.ts";
import { type PartitionId, partitionKey } from "./inbox.ts";
import { createReaderLag, measured } from "./reader-lag.ts";
import { anotherLog, ForeignPosition, type Start } from "./start-offset.ts";

export interface FollowOptions {
  readonly kafka: Kafka;
  /** Prefix of the group's name; each follower creates a group of its own and removes it at the end. */
  readonly groupPrefix: string;
  readonly topics: readonly string[];
  readonly log: Log;
  /** False for followers that clients cause: any number of them may run at the same time. True by default. */
  readonly isMeasured?: boolean;
  /** The codec's function `loadSchemas`, with the same meaning as for a group reader. */
  readonly loadSchemas?: LoadSchemas;
  /**
   * First position in a partition: an offset, or its beginning. After a rebalance the follower continues at its own
   * position.
   */
  readonly from: (id: PartitionId) => number | "beginning";
  /** Called in log order per partition; may be async, the next batch waits for it. A throw ends the part. */
  readonly onBatch: (batch: TakenBatch) => void | Promise<void>;
}

export interface Follower extends Part {
  /**
   * Resolves when everything that was in the topics at start has been given to onBatch. It waits while a partition has
   * no leader, because nobody knows the end of that partition.
   */
  readonly caughtUp: Promise<void>;
  readonly failed: Promise<never>;
}

/** Parts listed after this one start only when the followers have caught up. */
export const filledViews = (followers: readonly Pick<Follower, "caughtUp" | "failed">[]): Part => ({
  name: "filled views",
  start: async () => {
    await Promise.all(followers.map(({ caughtUp, failed }) => Promise.race([caughtUp, failed])));
  },
  stop: async () => {},
});

const IDLE_MS = 1_000;
const BEGIN_AGAIN_MS = 500;

export function createFollower(options: FollowOptions): Follower {
  const { kafka, log, topics } = options;
  const groupId = `${options.groupPrefix}.${randomUUID()}`;
  const { reader, finished } = createFollowerReader(options, groupId);
  const stopped = new AbortController();
  const positions = createFollowerPositions(options, reader, stopped.signal);
  let targets: ReadonlyMap<string, number> | undefined;
  const caughtUp = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let following: Promise<void> | undefined;

  function settle(): void {
    if (targets !== undefined && positions.haveReached(targets)) caughtUp.resolve();
  }

  async function learnTargets(): Promise<void> {
    const ends = await awaitEnds({ kafka, topics, log, signal: stopped.signal });
    if (ends === undefined) return;
    targets = new Map(ends.map((each) => [partitionKey(each), each.end]));
    settle();
  }

  async function follow(): Promise<void> {
    while (!stopped.signal.aborted) {
      const { assigned, batches } = await reader.next(IDLE_MS);
      if (assigned !== undefined) await positions.begin(assigned);
      for (const batch of batches) {
        await options.onBatch(batch);
        positions.passed(batch);
        finished(batch);
      }
      if (assigned !== undefined || batches.length > 0) settle();
    }
  }

  return {
    name: `follower ${topics.join(",")}`,
    caughtUp: caughtUp.promise,
    failed: failed.promise,

    async start() {
      await reader.start();
      const fail = (error: unknown) => {
        log.error({ err: error, topics }, "follower failed");
        failed.reject(error);
      };
      following = follow().catch(fail);
      // This ends by itself after a stop, which must not wait for the answer of a broker that hangs.
      void learnTargets().catch(fail);
    },

    async stop() {
      stopped.abort();
      await reader.stop();
      await following;
      await removeGroup(kafka, groupId, log);
    },
  };
}

/** A follower commits nothing, so it reports to the metrics itself what it has finished. */
function createFollowerReader(
  { kafka, topics, log, loadSchemas, groupPrefix, ...options }: FollowOptions,
  groupId: string,
) {
  const reader = createUnmeasuredReader({ kafka, groupId, topics, log, loadSchemas });
  if (options.isMeasured === false) return { reader, finished: () => undefined };
  // The prefix is the same in every process and at every start.
  const lag = createReaderLag(groupPrefix);
  const finished = ({ topic, partition, next }: TakenBatch) => lag.finished([{ topic, partition, next }]);
  return { reader: measured(reader, lag), finished };
}

/** Next offsets of a follower: after a rebalance it continues there, and not where the group was. */
function createFollowerPositions(options: FollowOptions, reader: GroupReader, signal: AbortSignal) {
  const { kafka, topics, log } = options;
  const nextOffsets = new Map<string, number>();
  let logIds: ReadonlyMap<string, string> | undefined;

  /** A position counts only in the log in which the follower began. */
  async function refuseOtherLogs(starts: readonly Start[]): Promise<void> {
    const ids = await topicIds(kafka, topics);
    logIds ??= ids;
    for (const start of starts) {
      if (ids.get(start.topic) !== logIds.get(start.topic)) throw anotherLog(start, start.offset ?? 0);
    }
  }

  /** @returns undefined when the beginning must be tried again. */
  async function beginAll(starts: readonly Start[]): Promise<true | undefined> {
    try {
      await refuseOtherLogs(starts);
      const offsets = await reader.begin(starts);
      for (const [i, start] of starts.entries()) {
        const offset = offsets[i];
        if (offset !== undefined) nextOffsets.set(partitionKey(start), offset);
      }
      return true;
    } catch (error) {
      // A broker that is unavailable for a while is no reason to end the process.
      if (signal.aborted) return true;
      if (error instanceof ForeignPosition) throw error;
      log.warn({ err: messageOf(error), topics }, "cannot begin yet");
      return undefined;
    }
  }

  return {
    async begin(assigned: readonly PartitionId[]): Promise<void> {
      const starts = assigned.map((id) => {
        const from = nextOffsets.get(partitionKey(id)) ?? options.from(id);
        return { ...id, offset: from === "beginning" ? undefined : from };
      });
      await loop(() => beginAll(starts), { pauseMs: BEGIN_AGAIN_MS, signal });
    },

    passed(batch: TakenBatch): void {
      nextOffsets.set(partitionKey(batch), batch.next);
    },

    haveReached(targets: ReadonlyMap<string, number>): boolean {
      return [...targets].every(([key, target]) => (nextOffsets.get(key) ?? -1) >= target);
    },
  };
}

async function removeGroup(kafka: Kafka, groupId: string, log: Log): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    await admin.deleteGroups([groupId]);
  } catch (error) {
    log.debug({ err: error }, "group not removed");
  } finally {
    await admin.disconnect();
  }
}
