// Follows topics outside any shared group: every instance that follows sees every message.
import { randomUUID } from "node:crypto";
import type { Kafka } from "kafkajs";
import { messageOf } from "../../../schemas/errors.ts";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { loop } from "../loop.ts";
import { awaitEnds } from "./await-ends.ts";
import { createGroupReader, type Taken } from "./group-reader.ts";
import type { Learn, PartitionId } from "./inboxes.ts";
import { topicIds } from "./log-id.ts";
import { anotherLog, ForeignPosition, type Start } from "./start-offset.ts";

export interface FollowOptions {
  readonly kafka: Kafka;
  /** Prefix of the group's name; each follower makes a group of its own and removes it at the end. */
  readonly groupPrefix: string;
  readonly topics: readonly string[];
  readonly log: Log;
  /** As for a group reader. */
  readonly learn?: Learn;
  /** Where to begin a partition at first: an offset, or its beginning. Later it goes on where it was. */
  readonly from: (id: PartitionId) => number | "beginning";
  /** Called in log order per partition; may be async, the next batch waits for it. A throw ends the part. */
  readonly onBatch: (batch: Taken) => void | Promise<void>;
}

export interface Follower extends Part {
  /**
   * Resolves when everything that was in the topics at start has been given to onBatch. While a partition has no leader
   * it does not: nobody knows what it has.
   */
  readonly caughtUp: Promise<void>;
  readonly failed: Promise<never>;
}

/** What is listed after it begins only when the followers have caught up. */
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
  const { learn } = options;
  const reader = createGroupReader(
    learn === undefined ? { kafka, groupId, topics, log } : { kafka, groupId, topics, log, learn },
  );
  const nextOffsets = new Map<string, number>();
  let targets: ReadonlyMap<string, number> | undefined;
  const caughtUp = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let logIds: ReadonlyMap<string, string> | undefined;
  const stopped = new AbortController();
  let following: Promise<void> | undefined;

  function settle(): void {
    if (targets === undefined) return;
    for (const [key, target] of targets) if ((nextOffsets.get(key) ?? -1) < target) return;
    caughtUp.resolve();
  }

  /** A position counts only in the log in which the follower began. */
  async function refuseOtherLogs(starts: readonly Start[]): Promise<void> {
    const ids = await topicIds(kafka, topics);
    logIds ??= ids;
    for (const start of starts) {
      if (ids.get(start.topic) !== logIds.get(start.topic)) throw anotherLog(start, start.offset ?? 0);
    }
  }

  async function begin(assigned: readonly PartitionId[]): Promise<void> {
    const starts = assigned.map((id) => {
      const from = nextOffsets.get(keyOf(id)) ?? options.from(id);
      return { ...id, offset: from === "beginning" ? undefined : from };
    });
    const beginAll = async () => {
      try {
        await refuseOtherLogs(starts);
        const offsets = await reader.begin(starts);
        for (const [i, start] of starts.entries()) {
          const offset = offsets[i];
          if (offset !== undefined) nextOffsets.set(keyOf(start), offset);
        }
        return true;
      } catch (error) {
        // A broker that is away for a while is no reason to end the process.
        if (stopped.signal.aborted) return true;
        if (error instanceof ForeignPosition) throw error;
        log.warn({ err: messageOf(error), topics }, "cannot begin yet");
        return undefined;
      }
    };
    await loop(beginAll, { pauseMs: BEGIN_AGAIN_MS, signal: stopped.signal });
  }

  async function learnTargets(): Promise<void> {
    const ends = await awaitEnds({ kafka, topics, log, signal: stopped.signal });
    if (ends === undefined) return;
    targets = new Map(ends.map((each) => [keyOf(each), each.end]));
    settle();
  }

  async function follow(): Promise<void> {
    while (!stopped.signal.aborted) {
      const { assigned, batches } = await reader.next(IDLE_MS);
      if (assigned !== undefined) await begin(assigned);
      for (const batch of batches) {
        await options.onBatch(batch);
        nextOffsets.set(keyOf(batch), batch.next);
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
      // It ends by itself after a stop, which must not wait for the answer of a broker that hangs.
      void learnTargets().catch(fail);
    },

    async stop() {
      stopped.abort();
      await reader.stop();
      await following;
      const admin = kafka.admin();
      try {
        await admin.connect();
        await admin.deleteGroups([groupId]);
      } catch (error) {
        log.debug({ err: error }, "group not removed");
      } finally {
        await admin.disconnect();
      }
    },
  };
}

const keyOf = ({ topic, partition }: PartitionId): string => `${topic}/${partition}`;
