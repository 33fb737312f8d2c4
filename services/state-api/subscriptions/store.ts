// Changes subscriptions in the log. All instances change one subscription one after the other, each after having read
// what the others wrote: of two that create it at the same time, one creates it and the other one replaces it.
import type { Redis } from "ioredis";
import type { Subscription, Subscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { unavailable } from "../../../schemas/errors.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { type SubscriptionSet, stoppedKey } from "../../../schemas/records/subscription.ts";
import { subscriptionLeaseKey } from "../../../schemas/redis-keys.ts";
import { topicName } from "../../../schemas/topics.ts";
import type { RecordsFollower } from "../../common/follow-records.ts";
import type { OutMessage, Publisher } from "../../common/kafka/publisher.ts";
import { type Lease, withLease } from "../../common/redis-lease.ts";
import type { Room } from "./room.ts";

/** What the subscription is to be; throws a refusal. If it gives back the current one, nothing is written. */
export type Decide = (current: Subscription | undefined) => SubscriptionSet | Subscription;

export interface SubscriptionStore {
  readonly view: Subscriptions;
  /**
   * Resolves with the subscription when the log has the change; rejects with UNAVAILABLE when that is not known, and with
   * refusals. After a POST it is not stopped.
   */
  change(id: string, decide: Decide): Promise<Subscription>;
  /** Resolves when the view has what other instances acknowledged, or when the log does not answer. */
  refresh(): Promise<void>;
}

export interface SubscriptionStoreOptions {
  readonly view: Subscriptions;
  readonly follower: Pick<RecordsFollower, "catchUp">;
  readonly publisher: Publisher;
  readonly redis: Redis;
  readonly codec: Codec;
  readonly namespace: string;
  readonly room: Room;
  readonly now: () => number;
}

const SOURCE = "tracklog/state-api";
const BEFORE_WRITE_MS = 5_000;
/** A reader gets what is known rather than wait long: while the log is away, nobody can have changed it. */
const BEFORE_READ_MS = 1_000;
const RETRY_AFTER_MS = 1_000;

export function createSubscriptionStore(options: SubscriptionStoreOptions): SubscriptionStore {
  const { view, follower, publisher, redis, codec, namespace, room, now } = options;

  function messagesOf(set: SubscriptionSet): readonly OutMessage[] {
    const record = { type: "SubscriptionSet", event: set } as const;
    const message = recordMessage(codec, namespace, record, { source: SOURCE, timeMs: now() });
    return set.deleted ? [message, ...forget(set.key)] : [message];
  }

  /** Readers have read the deletion before; these let Kafka drop the keys, so that the topic does not grow for ever. */
  const forget = (id: string): readonly OutMessage[] =>
    [id, stoppedKey(id)].map((key) => ({ topic: topicName(namespace, "subscriptions"), key, value: null }));

  /** Gives the broker's time of the message. */
  async function write(set: SubscriptionSet, lease: Lease): Promise<number | undefined> {
    try {
      const [written] = await publisher.publish(messagesOf(set), lease.isHeld);
      if (written !== undefined) view.applyOwn({ type: "SubscriptionSet", event: set }, written.offset);
      return written?.recordedAt;
    } catch (error) {
      if (!lease.isHeld()) throw unavailable("the log did not answer in time", RETRY_AFTER_MS, error);
      // The message may still arrive: nobody may write one that is based on less until then.
      lease.keep();
      throw error;
    }
  }

  /**
   * A subscription hears of what the log records after its creation: by our clock it would hear of nothing until the
   * broker's clock has come as far. Only for a new one: with another time of creation it would be another subscription.
   * Resolves with what the log has in the end.
   */
  async function create(set: SubscriptionSet, lease: Lease): Promise<SubscriptionSet> {
    const recordedAt = await write(set, lease);
    if (recordedAt === undefined || recordedAt >= set.createdAt) return set;
    const inTime = { ...set, createdAt: recordedAt, updatedAt: recordedAt };
    await write(inTime, lease);
    return inTime;
  }

  return {
    view,
    change: (id, decide) =>
      withLease(redis, subscriptionLeaseKey(namespace, id), async (lease) => {
        await follower.catchUp(BEFORE_WRITE_MS);
        const current = view.get(id);
        const decided = decide(current);
        if (current !== undefined && decided === current) return current;
        const set = recordOf(decided);
        const leave = set.deleted ? undefined : room.enter(current, set);
        try {
          // What was written, even if another instance has changed it again since.
          if (current === undefined) return { ...(await create(set, lease)), stopped: undefined };
          await write(set, lease);
          return { ...set, stopped: set.version === current.version ? current.stopped : undefined };
        } finally {
          leave?.();
        }
      }),
    refresh: () => follower.catchUp(BEFORE_READ_MS).catch(() => undefined),
  };
}

const recordOf = ({ stopped: _, ...set }: SubscriptionSet & Partial<Subscription>): SubscriptionSet => set;
