// Names a subscription from its creation to its deletion. One that gets the id later is another one, with another queue:
// what was raised for the former one, waits for it or was asked of it never reaches the later one.
import type { Subscription, Subscriptions } from "../subscriptions/subscriptions.ts";

export interface Generation {
  readonly subscriptionId: string;
  /** When the subscription was created, ms. */
  readonly generation: number;
}

/** Names the queue of a generation, and all that is kept beside it. */
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

/** undefined: it is not known yet, or deleted. */
export function subscriptionOf(view: Pick<Subscriptions, "get">, queueId: QueueId): Subscription | undefined {
  const { subscriptionId, generation } = parseQueueId(queueId);
  const subscription = view.get(subscriptionId);
  return subscription?.createdAt === generation ? subscription : undefined;
}
