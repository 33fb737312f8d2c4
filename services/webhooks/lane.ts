// The deliveries of one subscription, one after the other. A lane lives while something waits.
import type { Catalog } from "../../projections/catalog/catalog.ts";
import { deliveryEnded, deliveryOf, newestAttempts } from "../../projections/deliveries/ended.ts";
import { nextAttemptAt, type RetrySettings } from "../../projections/deliveries/outcome.ts";
import { bodyOf } from "../../projections/deliveries/payload.ts";
import { parseQueueId, type QueueId, subscriptionOf } from "../../projections/deliveries/queue-id.ts";
import { subjectOf } from "../../projections/deliveries/waiting.ts";
import type { Subscription, Subscriptions } from "../../projections/subscriptions/subscriptions.ts";
import type { DeliveryAttempt, DeliveryStatus } from "../../schemas/records/delivery-ended.ts";
import { pause } from "../common/loop.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import { toldAsEnded } from "./outbox.ts";
import type { Head, Queue, Taken } from "./queue.ts";
import type { Attempted, Send } from "./send.ts";
import type { Stops } from "./stops.ts";

export interface LaneDeps {
  readonly subscriptions: Subscriptions;
  readonly catalog: Catalog;
  readonly send: Send;
  readonly stops: Stops;
  readonly retries: RetrySettings;
  /** Failures in a row that stop a subscription. */
  readonly stopAfter: number;
}

export interface LaneContext extends LaneDeps {
  readonly queue: Queue;
  /** When its signal comes, nothing begins any more. */
  readonly patience: Patience;
  /** Gives up what is under way. */
  readonly cut: AbortSignal;
  /** Something has been put into the outbox. */
  readonly onEnded: () => void;
}

export interface Lane {
  /** Something has arrived. */
  wake(): void;
  /** The subscription has changed. */
  change(): void;
  /** Resolves when nothing waits any more. Rejects with NotOwner. */
  readonly done: Promise<void>;
}

/** A signal may be read before the subscription that it is for; later than this that was deleted long ago. */
const UNKNOWN_MS = 30_000;
const SLOW_MS = 1_000;

export function startLane(queueId: QueueId, context: LaneContext): Lane {
  const { subscriptions, queue, patience, retries } = context;
  const { signal } = patience;
  const startedAt = Date.now();
  let resting: { readonly controller: AbortController; readonly untilArrival: boolean } | undefined;
  let hasArrived = false;
  let hasChanged = false;
  let wasSlow = false;

  async function rest(ms: number, untilArrival: boolean): Promise<void> {
    if (hasChanged || (untilArrival && hasArrived)) return;
    const controller = new AbortController();
    resting = { controller, untilArrival };
    await pause(Math.min(Math.max(ms, 1), MAX_TIMER_MS), AbortSignal.any([signal, controller.signal]));
    resting = undefined;
  }

  const take = (subscription: Subscription): Promise<Taken> => {
    const asking = { queueId, now: Date.now(), ...asked(subscription) };
    return patiently("take a delivery", () => queue.take(asking), patience);
  };

  async function work(): Promise<void> {
    while (!signal.aborted) {
      hasArrived = false;
      hasChanged = false;
      const subscription = subscriptionOf(subscriptions, queueId);
      if (subscription === undefined) {
        const left = startedAt + UNKNOWN_MS - Date.now();
        if (left < 0) return patiently("forget", () => queue.forget(queueId), patience);
        await rest(left + 1, false);
        continue;
      }
      const { head, batchAt } = await take(subscription);
      const now = Date.now();
      if (head === undefined && batchAt === undefined) {
        if (!hasArrived) return;
      } else if (head === undefined) {
        await rest((batchAt ?? now) - now, true);
      } else {
        await see(head, subscription, now);
      }
    }
  }

  async function see(head: Head, subscription: Subscription, now: number): Promise<void> {
    const endsAt = head.createdAt + retries.keepMs;
    const dueAt = subscription.stopped === undefined ? head.nextAt : endsAt;
    if (now >= endsAt) await end(head, "failed", tooOld(head, now), "", 0);
    else if (now < dueAt) await rest(Math.min(dueAt, endsAt) - now, false);
    else await attempt(head, subscription);
  }

  async function attempt(head: Head, subscription: Subscription): Promise<void> {
    const { stops, send } = context;
    if (stops.isRevoked(subscription)) {
      await stop(subscription, "token_revoked", "the token of the subscription was revoked");
      return;
    }
    const body = bodyOf(head, { subscription, catalog: context.catalog, now: Date.now() });
    const isStill = () => subscriptions.get(subscription.key) === subscription && !stops.isRevoked(subscription);
    const message = { id: head.id, body, subscription, isStill, isTroubled: head.failures > 0 || wasSlow };
    const attempted = await send(message, { begin: signal, cut: context.cut });
    if (attempted === undefined) return;
    wasSlow = attempted.attempt.ms > SLOW_MS;
    await settle(head, subscription, attempted, body);
  }

  async function settle(head: Head, subscription: Subscription, { attempt: last, outcome }: Attempted, body: string) {
    const attempts = newestAttempts([...head.attempts, last]);
    if (outcome.kind === "delivered") return end(head, "delivered", attempts, body, 0);
    const now = Date.now();
    const inARow = head.failures + 1;
    const failure = { now, inARow, random: Math.random(), retryAfterMs: undefined, ...outcome };
    const again = nextAttemptAt({ ...failure, createdAt: head.createdAt }, retries);
    if (outcome.kind === "gone") await stop(subscription, "gone", "the receiver answered 410");
    else if (inARow >= context.stopAfter) await stop(subscription, "failing", `${inARow} in a row: ${wordsFor(last)}`);
    if (again !== undefined) {
      return patiently("note a failure", () => queue.retry(queueId, head.id, attempts, again), patience);
    }
    const pauseUntil = nextAttemptAt({ ...failure, createdAt: now }, retries) ?? now;
    return end(head, "failed", attempts, body, inARow, pauseUntil);
  }

  async function end(
    head: Head,
    status: DeliveryStatus,
    attempts: readonly DeliveryAttempt[],
    body: string,
    inARow: number,
    nextAt = 0,
  ): Promise<void> {
    const ending = { status, endedAt: Date.now(), attempts, body };
    const record = toldAsEnded(deliveryEnded(deliveryOf(parseQueueId(queueId), head), ending));
    const ended = { queueId, id: head.id, subject: subjectOf(head), record };
    await patiently("end a delivery", () => queue.end(ended, inARow, nextAt), patience);
    context.onEnded();
  }

  const stop = (subscription: Subscription, ...why: [Parameters<Stops["set"]>[1], string]): Promise<void> =>
    patiently("stop a subscription", () => context.stops.set(subscription, ...why), patience);

  return {
    done: work(),
    wake() {
      hasArrived = true;
      if (resting?.untilArrival === true) resting.controller.abort();
    },
    change() {
      hasArrived = true;
      hasChanged = true;
      resting?.controller.abort();
    },
  };
}

/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const asked = ({ version, mode, batchInterval }: Subscription) => ({
  version,
  batchMs: mode === "batch" ? batchInterval * 1_000 : undefined,
});

const wordsFor = ({ status, error }: DeliveryAttempt): string => error ?? `the receiver answered ${status}`;

const tooOld = ({ attempts }: Head, at: number): readonly DeliveryAttempt[] =>
  attempts.length > 0 ? attempts : [{ at, status: null, error: "it waited too long", ms: 0 }];
