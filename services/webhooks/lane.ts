// The deliveries of one subscription, one after the other. A lane lives while something waits. It has a payload in memory
// only while that is sent: thousands of lanes may wait for receivers that are away.
import type { Catalog } from "../../projections/catalog/catalog.ts";
import { deliveryEnded, deliveryOf, type Ending, newestAttempts } from "../../projections/deliveries/ended.ts";
import { nextAttemptAt, type RetrySettings } from "../../projections/deliveries/outcome.ts";
import { bodyOf, configBytes } from "../../projections/deliveries/payload.ts";
import { parseQueueId, type QueueId, subscriptionOf } from "../../projections/deliveries/queue-id.ts";
import { subjectOf } from "../../projections/deliveries/waiting.ts";
import type { Subscription, Subscriptions } from "../../projections/subscriptions/subscriptions.ts";
import type { DeliveryAttempt } from "../../schemas/records/delivery-ended.ts";
import { pause } from "../common/loop.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import type { Turns } from "../common/turns.ts";
import { toldAsEnded } from "./outbox.ts";
import type { Ownership } from "./ownership.ts";
import type { Aftermath, Head, Payload, Queue, Taken } from "./queue.ts";
import type { Attempted, Loaded, Send } from "./send.ts";
import type { Stops } from "./stops.ts";

export interface LaneDeps {
  readonly subscriptions: Subscriptions;
  /** Resolves when `subscriptions` has all that the log had at the call; rejects when that takes too long. */
  readonly caughtUp: () => Promise<void>;
  readonly catalog: Catalog;
  readonly send: Send;
  readonly stops: Stops;
  readonly retries: RetrySettings;
  /** Failures in a row that stop a subscription. */
  readonly stopAfter: number;
}

export interface LaneContext extends LaneDeps {
  readonly queue: Queue;
  readonly ownership: Ownership;
  /** For payloads that are loaded without being sent. */
  readonly turns: Turns;
  /** When its signal comes, nothing begins any more. */
  readonly patience: Patience;
  /** Gives up what is under way. */
  readonly cut: AbortSignal;
  /** Something has been put into the outbox. */
  readonly onEnded: () => void;
  /** The receiver of this queue has taken a delivery that was asked for: it need not be waited for any more. */
  readonly onReached: (queueId: QueueId) => void;
}

export interface Lane {
  /** Something has arrived. */
  wake(): void;
  /** The subscription has changed. */
  change(): void;
  /** Resolves when nothing waits any more. Rejects with NotOwner. */
  readonly done: Promise<void>;
}

/** A signal may be read before the subscription that it is for. Later than this the log is asked whether there is one. */
const UNKNOWN_MS = 30_000;
/** A log whose newest messages were lost may never bring the deletion that Redis knows of. */
const UNDELETED_MS = 1_000;

export function startLane(queueId: QueueId, context: LaneContext): Lane {
  const { subscriptions, queue, patience, retries } = context;
  const { signal } = patience;
  const startedAt = performance.now();
  let resting: { readonly controller: AbortController; readonly untilArrival: boolean } | undefined;
  let hasArrived = false;
  let hasChanged = false;
  let hasCaughtUp = false;
  /** Although this process has yet to read of it. */
  let isDeleted = false;

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
      if (isDeleted) {
        await patiently("read of the deletion", context.caughtUp, patience);
        isDeleted = false;
        if (subscriptionOf(subscriptions, queueId) !== undefined) await rest(UNDELETED_MS, false);
      }
      const subscription = subscriptionOf(subscriptions, queueId);
      if (subscription === undefined) {
        const left = startedAt + UNKNOWN_MS - performance.now();
        if (left > 0) {
          await rest(left, false);
        } else if (!hasCaughtUp) {
          await patiently("read the subscriptions", context.caughtUp, patience);
          hasCaughtUp = true;
        } else {
          // Whoever wrote to the queue had read the subscription from the log, so it was deleted since.
          return patiently("forget", () => queue.forget(queueId), patience);
        }
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
    if (now >= endsAt) await context.turns.run(() => giveUp(head, now));
    else if (now < dueAt) await rest(Math.min(dueAt, endsAt) - now, false);
    else await attempt(head, subscription);
  }

  async function load(head: Head): Promise<Payload | undefined> {
    const loaded = await patiently("load a delivery", () => queue.load(queueId, head.id), patience);
    if (loaded !== "deleted") return loaded;
    isDeleted = true;
    return undefined;
  }

  async function giveUp(head: Head, now: number): Promise<void> {
    const payload = await load(head);
    if (payload !== undefined) await endUnsent(payload, tooOld(payload, now));
  }

  /** What is known of the receiver stays: it was not asked. */
  const endUnsent = (payload: Payload, attempts: readonly DeliveryAttempt[]): Promise<void> =>
    end(payload, { status: "failed", attempts, body: "" }, undefined);

  async function attempt(head: Head, subscription: Subscription): Promise<void> {
    const { stops, send, ownership } = context;
    if (stops.isRevoked(subscription)) {
      await stop(subscription, "token_revoked", "the token of the subscription was revoked");
      return;
    }
    const isStill = () => subscriptions.get(subscription.key) === subscription && !stops.isRevoked(subscription);
    let why: StopWhy | undefined;
    const message = {
      id: head.id,
      subscription,
      bytes: head.bytes + head.signals * configBytes(subscription),
      hasFailed: head.failures > 0,
      wasSlow: head.wasSlow,
      mayBegin: async () => (await ownership.isHeld()) && !signal.aborted && isStill(),
      async load(): Promise<Loaded | undefined> {
        const payload = await load(head);
        if (payload === undefined) return undefined;
        const at = Date.now();
        const body = bodyOf(payload, { subscription, catalog: context.catalog, now: at });
        if (!body.ok) {
          await endUnsent(payload, [...payload.attempts, { at, status: null, error: body.reason, ms: 0 }]);
          return undefined;
        }
        const settled = async (attempted: Attempted) => {
          why = whyStop(attempted, head.failures + 1, context.stopAfter);
          await settle(head, payload, attempted, body.text);
        };
        return { body: body.text, settle: settled };
      },
    };
    await send(message, { begin: signal, cut: context.cut });
    // After the payload is let go: the log may be away for long.
    if (why !== undefined) await stop(subscription, ...why);
  }

  async function settle(head: Head, payload: Payload, { attempt: last, outcome }: Attempted, body: string) {
    const attempts = newestAttempts([...payload.attempts, last]);
    if (outcome.kind === "delivered") {
      return end(payload, { status: "delivered", attempts, body }, { failures: 0, nextAt: 0, last });
    }
    const now = Date.now();
    const inARow = head.failures + 1;
    const failure = { now, inARow, random: Math.random(), retryAfterMs: undefined, ...outcome };
    const again = nextAttemptAt({ ...failure, createdAt: head.createdAt }, retries);
    if (again !== undefined) {
      return patiently("note a failure", () => queue.retry(queueId, head.id, attempts, again), patience);
    }
    const pauseUntil = nextAttemptAt({ ...failure, createdAt: now }, retries) ?? now;
    return end(payload, { status: "failed", attempts, body }, { failures: inARow, nextAt: pauseUntil, last });
  }

  async function end(payload: Payload, how: How, aftermath: Aftermath | undefined): Promise<void> {
    const ending = { ...how, endedAt: Date.now() };
    const record = toldAsEnded(deliveryEnded(deliveryOf(parseQueueId(queueId), payload), ending));
    const ended = { queueId, id: payload.id, subject: subjectOf(payload), record };
    await patiently("end a delivery", () => queue.end(ended, aftermath), patience);
    context.onEnded();
  }

  const stop = (subscription: Subscription, ...why: StopWhy): Promise<void> =>
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

type How = Omit<Ending, "endedAt">;

type StopWhy = [reason: Parameters<Stops["set"]>[1], detail: string];

/** `inARow`: failures, this one included if it is one. */
function whyStop({ attempt, outcome }: Attempted, inARow: number, stopAfter: number): StopWhy | undefined {
  if (outcome.kind === "delivered") return undefined;
  if (outcome.kind === "gone") return ["gone", "the receiver answered 410"];
  return inARow < stopAfter ? undefined : ["failing", `${inARow} in a row: ${wordsFor(attempt)}`];
}

/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const asked = ({ version, mode, batchInterval, stopped }: Subscription) => ({
  version,
  isStopped: stopped !== undefined,
  batchMs: mode === "batch" ? batchInterval * 1_000 : undefined,
});

const wordsFor = ({ status, error }: DeliveryAttempt): string => error ?? `the receiver answered ${status}`;

const tooOld = ({ attempts }: Payload, at: number): readonly DeliveryAttempt[] =>
  attempts.length > 0 ? attempts : [{ at, status: null, error: "it waited too long", ms: 0 }];
