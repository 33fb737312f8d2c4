// Tries the delivery at the head of a queue once, and records the outcome.
import {
  deliveryOf,
  type Ending,
  endDelivery,
  newestAttempts,
} from "../../../projections/webhooks/deliveries/ended.ts";
import { nextAttemptAt } from "../../../projections/webhooks/deliveries/outcome.ts";
import { bodyOf, configBytes } from "../../../projections/webhooks/deliveries/payload.ts";
import { parseQueueId, type QueueId } from "../../../projections/webhooks/deliveries/queue-id.ts";
import { mergeSubjectOf, tracesOf } from "../../../projections/webhooks/deliveries/waiting.ts";
import type { Subscription } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { DeliveryAttempt } from "../../../schemas/records/delivery-ended.ts";
import { patiently } from "../../common/patiently.ts";
import type { Aftermath, DeliveryPayload, Head } from "../queue/next-delivery.ts";
import { reportedAsEnded } from "../queue/outbox.ts";
import type { LaneContext } from "./context.ts";
import { deliverySeconds } from "./metrics.ts";
import type { Attempted, LoadedPayload } from "./send.ts";
import type { Stops } from "./stops.ts";

/** The head of a queue, when its time has come. */
export interface HeadTurn {
  readonly queueId: QueueId;
  readonly head: Head;
  readonly subscription: Subscription;
  readonly context: LaneContext;
  /** Called when Redis has recorded the deletion of the subscription. */
  readonly onDeleted: () => void;
}

type StopWhy = readonly [reason: Parameters<Stops["set"]>[1], detail: string];

/**
 * The end of a delivery. Without an aftermath the receiver was not contacted, so its recorded state does not change.
 */
interface HeadEnd extends Omit<Ending, "endedAt"> {
  readonly aftermath: Aftermath | undefined;
}

const REVOKED: StopWhy = ["token_revoked", "the token of the subscription was revoked"];

/** Resolves when the outcome is recorded, and the subscription is stopped if it must be. */
export async function attemptHead(turn: HeadTurn): Promise<void> {
  const { head, subscription, context } = turn;
  const { stops, subscriptions, send, ownership, patience, cut } = context;
  if (stops.isRevoked(subscription)) return stop(turn, REVOKED);
  const isStill = () => subscriptions.get(subscription.key) === subscription && !stops.isRevoked(subscription);
  let why: StopWhy | undefined;
  const message = {
    id: head.id,
    subscription,
    bytes: head.bytes + head.signals * configBytes(subscription),
    hasFailed: head.failures > 0,
    wasSlow: head.wasSlow,
    mayBegin: async () => (await ownership.isHeld()) && !patience.signal.aborted && isStill(),
    load: () =>
      loadBody(turn, (attempted) => {
        why = whyStop(attempted, head.failures + 1, context.stopAfter);
      }),
  };
  await send(message, { begin: patience.signal, cut });
  // `send` has released the payload. The stop must not hold it in memory, because the log may be unavailable for a long
  // time.
  if (why !== undefined) await stop(turn, why);
}

/** Ends a delivery that has waited too long. */
export async function giveUp(turn: HeadTurn, now: number): Promise<void> {
  const payload = await load(turn);
  if (payload !== undefined) await endUnsent(turn, payload, tooOld(payload, now));
}

async function load({ queueId, head, context, onDeleted }: HeadTurn): Promise<DeliveryPayload | undefined> {
  const { queue, patience } = context;
  const loaded = await patiently("load a delivery", () => queue.load(queueId, head.id), patience);
  if (loaded !== "deleted") return loaded;
  onDeleted();
  return undefined;
}

/** @returns undefined when there is nothing to send: the delivery is gone, or it ended because it has no body. */
async function loadBody(
  turn: HeadTurn,
  onAttempted: (attempted: Attempted) => void,
): Promise<LoadedPayload | undefined> {
  const { subscription, context } = turn;
  const payload = await load(turn);
  if (payload === undefined) return undefined;
  const at = Date.now();
  const body = bodyOf(payload, { subscription, catalog: context.catalog, now: at });
  if (!body.ok) {
    await endUnsent(turn, payload, [...payload.attempts, { at, status: null, error: body.reason, ms: 0 }]);
    return undefined;
  }
  const settled = async (attempted: Attempted) => {
    onAttempted(attempted);
    await settle(turn, payload, attempted, body.text);
  };
  return { body: body.text, traces: tracesOf(payload), settle: settled };
}

async function settle(turn: HeadTurn, payload: DeliveryPayload, { attempt: last, outcome }: Attempted, body: string) {
  const { queueId, head, context } = turn;
  const { queue, patience, retries } = context;
  const attempts = newestAttempts([...payload.attempts, last]);
  if (outcome.kind === "delivered") {
    deliverySeconds.observe(Math.max(0, Date.now() - head.createdAt) / 1_000);
    return end(turn, payload, { status: "delivered", attempts, body, aftermath: { failures: 0, nextAt: 0, last } });
  }
  const now = Date.now();
  const inARow = head.failures + 1;
  const failure = { now, inARow, random: Math.random(), retryAfterMs: undefined, ...outcome };
  const again = nextAttemptAt({ ...failure, createdAt: head.createdAt }, retries);
  if (again !== undefined) {
    return patiently("note a failure", () => queue.retry(queueId, head.id, attempts, again), patience);
  }
  const pauseUntil = nextAttemptAt({ ...failure, createdAt: now }, retries) ?? now;
  const aftermath = { failures: inARow, nextAt: pauseUntil, last };
  return end(turn, payload, { status: "failed", attempts, body, aftermath });
}

const endUnsent = (turn: HeadTurn, payload: DeliveryPayload, attempts: readonly DeliveryAttempt[]): Promise<void> =>
  end(turn, payload, { status: "failed", attempts, body: "", aftermath: undefined });

async function end({ queueId, context }: HeadTurn, payload: DeliveryPayload, how: HeadEnd): Promise<void> {
  const { aftermath, ...ending } = how;
  const delivery = deliveryOf(parseQueueId(queueId), payload);
  const record = reportedAsEnded(endDelivery(delivery, { ...ending, endedAt: Date.now() }));
  const ended = { queueId, id: payload.id, subject: mergeSubjectOf(payload), record };
  await patiently("end a delivery", () => context.queue.end(ended, aftermath), context.patience);
  context.onEnded();
}

const stop = ({ subscription, context }: HeadTurn, [reason, detail]: StopWhy): Promise<void> =>
  patiently("stop a subscription", () => context.stops.set(subscription, reason, detail), context.patience);

/** `inARow` counts the failures in a row, including this one. */
function whyStop({ attempt, outcome }: Attempted, inARow: number, stopAfter: number): StopWhy | undefined {
  if (outcome.kind === "delivered") return undefined;
  if (outcome.kind === "gone") return ["gone", "the receiver answered 410"];
  return inARow < stopAfter ? undefined : ["failing", `${inARow} in a row: ${wordsFor(attempt)}`];
}

const wordsFor = ({ status, error }: DeliveryAttempt): string => error ?? `the receiver answered ${status}`;

const tooOld = ({ attempts }: DeliveryPayload, at: number): readonly DeliveryAttempt[] =>
  attempts.length > 0 ? attempts : [{ at, status: null, error: "it waited too long", ms: 0 }];
