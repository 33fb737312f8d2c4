// Changes subscriptions in the log. All instances change one subscription one after the other, each after having read
// the writes of the others: when two instances create it at the same time, one creates it and the other one replaces
// it.
import type { Subscription, Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { RETRY_AFTER_MS, unavailable } from "../../../schemas/errors.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { type SubscriptionSet, stoppedKey } from "../../../schemas/records/subscription.ts";
import { subscriptionLeaseKey } from "../../../schemas/redis-keys.ts";
import { topicName } from "../../../schemas/topics.ts";
import type { RecordsFollower } from "../../common/kafka/read/follow-records.ts";
import type { OutMessage, Publisher } from "../../common/kafka/write/publisher.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { type Lease, withLease } from "../../common/redis/lease.ts";
import type { SubscriptionPlaces } from "./subscription-places.ts";

/** Returns the new version of the subscription; throws a refusal. If it returns the current one, nothing is written. */
export type DecideSubscription = (current: Subscription | undefined) => SubscriptionSet | Subscription;

export interface SubscriptionStore {
  readonly view: Subscriptions;
  /**
   * Resolves with the subscription when the log has the change; rejects with UNAVAILABLE when that is not certain, and
   * with refusals. After a POST it is not stopped.
   */
  change(id: string, decide: DecideSubscription): Promise<Subscription>;
  /** Resolves when the view has the acknowledged writes of other instances, or when the log does not answer. */
  refresh(): Promise<void>;
}

export interface SubscriptionStoreOptions {
  readonly view: Subscriptions;
  readonly follower: Pick<RecordsFollower, "catchUp">;
  readonly publisher: Publisher;
  readonly redis: RedisClient;
  readonly codec: Codec;
  readonly namespace: string;
  readonly places: SubscriptionPlaces;
  readonly now: () => number;
}

const SOURCE = "tracklog/state-api";
const BEFORE_WRITE_MS = 5_000;
/**
 * A reader gets the present view instead of a long wait: while the log is unavailable, no instance can have changed it.
 */
const BEFORE_READ_MS = 1_000;

export function createSubscriptionStore(options: SubscriptionStoreOptions): SubscriptionStore {
  const { view, follower, redis, namespace, places } = options;

  return {
    view,
    change: (id, decide) =>
      withLease(redis, subscriptionLeaseKey(namespace, id), async (lease) => {
        await follower.catchUp(BEFORE_WRITE_MS);
        const current = view.get(id);
        const decided = decide(current);
        if (current !== undefined && decided === current) return current;
        const set = recordOf(decided);
        const leave = set.deleted ? undefined : places.enter(current, set);
        try {
          // Returns the written version, even if another instance has changed it again since.
          if (current === undefined) return { ...(await create(options, set, lease)), stopped: undefined };
          await write(options, set, lease);
          return { ...set, stopped: set.version === current.version ? current.stopped : undefined };
        } finally {
          leave?.();
        }
      }),
    refresh: () => follower.catchUp(BEFORE_READ_MS).catch(() => undefined),
  };
}

/**
 * Corrects the time of creation to the broker's clock: a subscription covers records after its creation, so with a
 * fast clock of ours it would miss all records until the broker's clock has caught up. Only for a new one: with
 * another time of creation it would be another subscription. Resolves with the final version in the log.
 */
async function create(options: SubscriptionStoreOptions, set: SubscriptionSet, lease: Lease): Promise<SubscriptionSet> {
  const recordedAt = await write(options, set, lease);
  if (recordedAt === undefined || recordedAt >= set.createdAt) return set;
  const inTime = { ...set, createdAt: recordedAt, updatedAt: recordedAt };
  await write(options, inTime, lease);
  return inTime;
}

/** Resolves with the broker's time of the message. */
async function write(
  options: SubscriptionStoreOptions,
  set: SubscriptionSet,
  lease: Lease,
): Promise<number | undefined> {
  try {
    const [written] = await options.publisher.publish(messagesOf(options, set), lease.isHeld);
    if (written !== undefined) options.view.applyOwn({ type: "SubscriptionSet", event: set }, written.offset);
    return written?.recordedAt;
  } catch (error) {
    if (!lease.isHeld()) throw unavailable("the log did not answer in time", RETRY_AFTER_MS, error);
    // The message may still arrive: until then no other instance may write a change that is based on an older one.
    lease.keep();
    throw error;
  }
}

function messagesOf(options: SubscriptionStoreOptions, set: SubscriptionSet): readonly OutMessage[] {
  const record = { type: "SubscriptionSet", event: set } as const;
  const message = recordMessage(options.codec, options.namespace, record, { source: SOURCE, timeMs: options.now() });
  return set.deleted ? [message, ...forget(options, set.key)] : [message];
}

/**
 * Readers have read the deletion before these tombstones. The tombstones let Kafka drop the keys, so that the topic
 * does not grow for ever.
 */
function forget(options: SubscriptionStoreOptions, id: string): readonly OutMessage[] {
  const topic = topicName(options.namespace, "subscriptions");
  return [id, stoppedKey(id)].map((key) => ({ topic, key, value: null }));
}

const recordOf = ({ stopped: _, ...set }: SubscriptionSet & Partial<Subscription>): SubscriptionSet => set;
