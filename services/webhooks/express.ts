// Deliveries that somebody asked for: one attempt each, outside the order of the queue, and the log is told of it.
import { type AskedDelivery, parseAsked } from "../../projections/deliveries/asked.ts";
import { deliveryEnded, deliveryOf } from "../../projections/deliveries/ended.ts";
import { bodyOf, configBytes, testPayload } from "../../projections/deliveries/payload.ts";
import { generationOf, type QueueId, subscriptionOf } from "../../projections/deliveries/queue-id.ts";
import { type Parcel, subjectOf } from "../../projections/deliveries/waiting.ts";
import type { Subscription } from "../../projections/subscriptions/subscriptions.ts";
import type { DeliveryAttempt, DeliveryEnded } from "../../schemas/records/delivery-ended.ts";
import { patiently } from "../common/patiently.ts";
import type { LaneContext } from "./lane.ts";
import { toldAsEnded } from "./outbox.ts";
import type { Asked } from "./queue.ts";
import type { Attempted, Loaded } from "./send.ts";

interface Wish extends Asked {
  readonly queueId: QueueId;
}

interface Job {
  readonly body: string;
  readonly subject: string;
  /** What the log is told; undefined = nothing. */
  readonly record: (succeeded: boolean, attempt: DeliveryAttempt) => DeliveryEnded | undefined;
}

/** Tries all that is asked for. Rejects with NotOwner. */
export async function deliverAsked(queueId: QueueId, context: LaneContext): Promise<void> {
  const { queue, subscriptions, patience } = context;
  for (const asked of await patiently("list what is asked for", () => queue.express(queueId), patience)) {
    const subscription = subscriptionOf(subscriptions, queueId);
    if (subscription === undefined || patience.signal.aborted) return;
    await tryOnce({ queueId, ...asked }, subscription, context);
  }
}

async function tryOnce(wish: Wish, subscription: Subscription, context: LaneContext): Promise<void> {
  const { queueId, id } = wish;
  const bytes = wish.bytes + wish.signals * configBytes(subscription);
  const { queue, send, stops, subscriptions, ownership, patience, cut, onEnded, onReached } = context;
  const end = async (job: Job | undefined, succeeded: boolean, ended: DeliveryEnded | undefined) => {
    const record = ended === undefined ? "" : toldAsEnded(ended);
    const finished = { queueId, id, subject: job?.subject ?? "", record };
    await patiently("end a delivery", () => queue.endExpress(finished, succeeded), patience);
    onEnded();
    if (succeeded) onReached(queueId);
  };
  const isStill = () => subscriptions.get(subscription.key) === subscription;
  let endTest: (() => Promise<void>) | undefined;
  const message = {
    ...{ id, subscription, bytes, hasFailed: false },
    mayBegin: async () => (await ownership.isHeld()) && !patience.signal.aborted && isStill(),
    async load(): Promise<Loaded | undefined> {
      const text = await patiently("read what is asked for", () => queue.askedFor(queueId, id), patience);
      if (text === undefined) return undefined;
      const asked = parseAsked(text);
      const isAllowed = !stops.isRevoked(subscription) && (asked.kind === "test" || subscription.stopped === undefined);
      const job = isAllowed ? await jobOf({ ...wish, asked }, subscription, context) : undefined;
      if (job === undefined) {
        await end(undefined, false, undefined);
        return undefined;
      }
      const settle = async ({ attempt, outcome }: Attempted) => {
        const succeeded = outcome.kind === "delivered";
        const ended = () => end(job, succeeded, job.record(succeeded, attempt));
        if (asked.kind === "test" && succeeded) endTest = ended;
        else await ended();
      };
      return { body: job.body, settle };
    },
  };
  await send(message, { begin: patience.signal, cut });
  if (endTest === undefined) return;
  // Not while a request counts as under way: the log may be away for long.
  await resume(subscription, context);
  await endTest();
}

/** A test that succeeds lets the deliveries go on, unless they stopped for another reason than the receiver. */
async function resume(subscription: Subscription, { stops, patience }: LaneContext): Promise<void> {
  const reason = subscription.stopped?.reason;
  if (reason === undefined || reason === "token_revoked") return;
  await patiently("let a subscription go on", () => stops.set(subscription, null, "a test succeeded"), patience);
}

async function jobOf(
  { queueId, id, asked }: Wish & { readonly asked: AskedDelivery },
  subscription: Subscription,
  { queue, catalog, patience }: LaneContext,
): Promise<Job | undefined> {
  const now = Date.now();
  if (asked.kind === "test")
    return testJob(id, asked.createdAt, subscription, JSON.stringify(testPayload({ subscription, catalog, now })));
  if (asked.kind === "ended") return againJob(asked.delivery);
  const parcel = await patiently("read a delivery", () => queue.waiting(queueId, id), patience);
  if (parcel === undefined) return undefined;
  const body = bodyOf(parcel, { subscription, catalog, now });
  // A delivery that cannot be made fails when its turn in the queue comes.
  return body.ok ? waitingJob(parcel, subscription, body.text) : undefined;
}

function testJob(id: string, createdAt: number, subscription: Subscription, body: string): Job {
  const delivery = { ...generationOf(subscription), id, signalIds: [], signal: "test", createdAt };
  return {
    body,
    subject: "",
    record: (succeeded, attempt) => deliveryEnded(delivery, ending(succeeded, [attempt], body)),
  };
}

/** What was delivered once stays delivered. */
function againJob(delivery: DeliveryEnded): Job {
  const { body, attempts, status } = delivery;
  return {
    body,
    subject: "",
    record: (succeeded, attempt) =>
      deliveryEnded(delivery, ending(succeeded || status === "delivered", [...attempts, attempt], body)),
  };
}

const waitingJob = (parcel: Parcel, subscription: Subscription, body: string): Job => ({
  body,
  subject: subjectOf(parcel),
  record: (succeeded, attempt) =>
    succeeded
      ? deliveryEnded(deliveryOf(generationOf(subscription), parcel), ending(true, [attempt], body))
      : undefined,
});

const ending = (succeeded: boolean, attempts: readonly DeliveryAttempt[], body: string) => ({
  status: succeeded ? ("delivered" as const) : ("failed" as const),
  endedAt: Date.now(),
  attempts,
  body,
});
