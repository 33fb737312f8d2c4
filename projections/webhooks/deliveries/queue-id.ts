// Names a generation of a webhook subscription: from its creation to its deletion. A subscription that gets the id
// later is another generation with another queue. It never gets signals of the former one, whether they were only
// raised, wait in the queue or were requested by a caller.
import type { Subscription, Subscriptions } from "../subscriptions/subscriptions.ts";

export interface Generation {
  readonly subscriptionId: string;
  /** Time at which the subscription was created, ms. */
  readonly generation: number;
}

/** Names the queue of a generation, and everything that is stored with it. */
export type QueueId = `${number}/${string}`;

export const queueIdOf = ({ subscriptionId, generation }: Generation): QueueId => `${generation}/${subscriptionId}`;

export function parseQueueId(queueId: QueueId): Generation {
  const end = queueId.indexOf("/");
  return { subscriptionId: queueId.slice(end + 1), generation: Number(queueId.slice(0, end)) };
}

export const isQueueId = (text: string): text is QueueId => /^\d+\//.test(text);

export const generationOf = ({ key, createdAt }: Pick<Subscription, "key" | "createdAt">): Generation => ({
  subscriptionId: key,
  generation: createdAt,
});

/** @returns undefined when the subscription is not known yet, or deleted. */
export function subscriptionOf(view: Pick<Subscriptions, "get">, queueId: QueueId): Subscription | undefined {
  const { subscriptionId, generation } = parseQueueId(queueId);
  const subscription = view.get(subscriptionId);
  return subscription?.createdAt === generation ? subscription : undefined;
}
