// Deliveries that a client requested: one attempt each, outside the order of the queue; the outcome goes to the log.

import { deliveryOf, endDelivery } from "../../../projections/webhooks/deliveries/ended.ts";
import { bodyOf, configBytes, testPayload } from "../../../projections/webhooks/deliveries/payload.ts";
import { generationOf, type QueueId, subscriptionOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import {
  parseRequestedDelivery,
  type RequestedDelivery,
} from "../../../projections/webhooks/deliveries/requested-delivery.ts";
import { mergeSubjectOf, type Parcel } from "../../../projections/webhooks/deliveries/waiting.ts";
import type { Subscription } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { DeliveryAttempt, DeliveryEnded } from "../../../schemas/records/delivery-ended.ts";
import { patiently } from "../../common/patiently.ts";
import { reportedAsEnded } from "../queue/outbox.ts";
import type { RequestedRedelivery } from "../queue/requested.ts";
import type { LaneContext } from "./context.ts";
import type { Attempted, LoadedPayload } from "./send.ts";

interface Wish extends RequestedRedelivery {
  readonly queueId: QueueId;
}

interface Job {
  readonly body: string;
  readonly subject: string;
  /** @returns undefined when the log gets no record of this delivery. */
  readonly record: (succeeded: boolean, attempt: DeliveryAttempt) => DeliveryEnded | undefined;
}

/** Attempts every requested delivery. Rejects with NotOwner. */
export async function deliverRequested(queueId: QueueId, context: LaneContext): Promise<void> {
  const { queue, subscriptions, patience } = context;
  for (const requested of await patiently("list what is asked for", () => queue.express(queueId), patience)) {
    const subscription = subscriptionOf(subscriptions, queueId);
    if (subscription === undefined || patience.signal.aborted) return;
    await tryOnce({ queueId, ...requested }, subscription, context);
  }
}

async function tryOnce(wish: Wish, subscription: Subscription, context: LaneContext): Promise<void> {
  const { queueId, id } = wish;
  const bytes = wish.bytes + wish.signals * configBytes(subscription);
  const { queue, send, stops, subscriptions, ownership, patience, cut, onEnded, onReached } = context;
  const end = async (job: Job | undefined, succeeded: boolean, ended: DeliveryEnded | undefined) => {
    const record = ended === undefined ? "" : reportedAsEnded(ended);
    const finished = { queueId, id, subject: job?.subject ?? "", record };
    await patiently("end a delivery", () => queue.endExpress(finished, succeeded), patience);
    onEnded();
    if (succeeded) onReached(queueId);
  };
  const isStill = () => subscriptions.get(subscription.key) === subscription;
  let endTest: (() => Promise<void>) | undefined;
  const message = {
    id,
    subscription,
    bytes,
    hasFailed: false,
    mayBegin: async () => (await ownership.isHeld()) && !patience.signal.aborted && isStill(),
    async load(): Promise<LoadedPayload | undefined> {
      const text = await patiently("read what is asked for", () => queue.requestOf(queueId, id), patience);
      if (text === undefined) return undefined;
      const request = parseRequestedDelivery(text);
      const isAllowed =
        !stops.isRevoked(subscription) && (request.kind === "test" || subscription.stopped === undefined);
      const job = isAllowed ? await jobOf({ ...wish, request }, subscription, context) : undefined;
      if (job === undefined) {
        await end(undefined, false, undefined);
        return undefined;
      }
      const settle = async ({ attempt, outcome }: Attempted) => {
        const succeeded = outcome.kind === "delivered";
        const ended = () => end(job, succeeded, job.record(succeeded, attempt));
        if (request.kind === "test" && succeeded) endTest = ended;
        else await ended();
      };
      return { body: job.body, settle };
    },
  };
  await send(message, { begin: patience.signal, cut });
  if (endTest === undefined) return;
  // `send` has released the request's slot. The slot must not be held meanwhile, because the log may be unavailable for
  // a long time.
  await resume(subscription, context);
  await endTest();
}

/** A successful test resumes the deliveries, unless they were stopped for a reason that is not the receiver's. */
async function resume(subscription: Subscription, { stops, patience }: LaneContext): Promise<void> {
  const reason = subscription.stopped?.reason;
  if (reason === undefined || reason === "token_revoked") return;
  await patiently("let a subscription go on", () => stops.set(subscription, null, "a test succeeded"), patience);
}

async function jobOf(
  { queueId, id, request }: Wish & { readonly request: RequestedDelivery },
  subscription: Subscription,
  { queue, catalog, patience }: LaneContext,
): Promise<Job | undefined> {
  const now = Date.now();
  if (request.kind === "test")
    return testJob(id, request.createdAt, subscription, JSON.stringify(testPayload({ subscription, catalog, now })));
  if (request.kind === "ended") return againJob(request.delivery);
  const parcel = await patiently("read a delivery", () => queue.waiting(queueId, id), patience);
  if (parcel === undefined) return undefined;
  const body = bodyOf(parcel, { subscription, catalog, now });
  // A delivery that cannot be built fails when its turn in the queue comes.
  return body.ok ? waitingJob(parcel, subscription, body.text) : undefined;
}

function testJob(id: string, createdAt: number, subscription: Subscription, body: string): Job {
  const delivery = { ...generationOf(subscription), id, signalIds: [], signal: "test", createdAt };
  return {
    body,
    subject: "",
    record: (succeeded, attempt) => endDelivery(delivery, ending(succeeded, [attempt], body)),
  };
}

/** A delivered delivery stays delivered when its redelivery fails. */
function againJob(delivery: DeliveryEnded): Job {
  const { body, attempts, status } = delivery;
  return {
    body,
    subject: "",
    record: (succeeded, attempt) =>
      endDelivery(delivery, ending(succeeded || status === "delivered", [...attempts, attempt], body)),
  };
}

const waitingJob = (parcel: Parcel, subscription: Subscription, body: string): Job => ({
  body,
  subject: mergeSubjectOf(parcel),
  record: (succeeded, attempt) =>
    succeeded ? endDelivery(deliveryOf(generationOf(subscription), parcel), ending(true, [attempt], body)) : undefined,
});

const ending = (succeeded: boolean, attempts: readonly DeliveryAttempt[], body: string) => ({
  status: succeeded ? ("delivered" as const) : ("failed" as const),
  endedAt: Date.now(),
  attempts,
  body,
});
