import { randomUUID } from "node:crypto";
import {
  type DeliveryPosition,
  deliveriesList,
  deliveryById,
} from "../../../projections/history/queries/deliveries.ts";
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import type { ListedDelivery } from "../../../projections/history/records/delivery.ts";
import { type Generation, generationOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import type { RequestedDelivery } from "../../../projections/webhooks/deliveries/requested-delivery.ts";
import type { Subscription, Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import { isoTime } from "../../../schemas/identity.ts";
import {
  type DeliveryAnswer,
  deliveriesAnswer,
  deliveriesQuery,
  deliveryAnswer,
} from "../../../schemas/rest/deliveries.ts";
import { Problem, retryAfter } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { newestFirst } from "./order.ts";
import { type Pending, type PendingDelivery, pendingOf } from "./pending.ts";

export interface DeliveryRoutesOptions {
  readonly view: Pick<Subscriptions, "get">;
  readonly refresh: () => Promise<void>;
  readonly pending: Pending;
  readonly history: QueryClient;
  readonly now: () => number;
}

const PATH = "/api/subscriptions/{id}";
const BUSY_MS = 5_000;
const TOO_MANY = {
  full: "too many deliveries of this subscription, or too large ones, are asked for already",
  "all full": "too large deliveries of all subscriptions are asked for already",
};

const LOG_BEHIND = "the delivery log does not take what it must be told of before";

const params = { id: "Id of the subscription" };
const unknownSubscription = { description: "There is no such subscription." };
const accepted = {
  description: "The delivery is tried at once; the list shows the outcome.",
  schema: deliveryAnswer,
};
const tooHeavy = { description: "The history needs too much time or memory for the query." };
const tooMany = {
  description:
    "Too many requested deliveries wait, or their bodies are too large, for this subscription or in all, or the token " +
    "exceeds STATE_API_TOKEN_REQUESTS_PER_S or STATE_API_TOKEN_BYTES_PER_S.",
};
const behind = {
  description:
    "A store does not answer, the delivery log lacks too many ended deliveries, or too many requests are in progress.",
};

export const deliveryRoutes = (options: DeliveryRoutesOptions): readonly Route[] => [
  listRoute(options),
  redeliverRoute(options),
  testRoute(options),
];

async function known({ view, refresh }: DeliveryRoutesOptions, id: string): Promise<Subscription> {
  await refresh();
  const subscription = view.get(id);
  if (subscription === undefined) throw new Problem("not-found", `there is no subscription ${id}`);
  return subscription;
}

const listRoute = (options: DeliveryRoutesOptions): Route =>
  route({
    method: "GET",
    path: `${PATH}/deliveries`,
    params,
    summary: "Lists the deliveries of a subscription, newest first",
    description: "The list has those that wait and those that ended, since the subscription was created.",
    scope: "read",
    query: deliveriesQuery,
    answers: {
      200: { description: "A page of the list.", schema: deliveriesAnswer },
      404: unknownSubscription,
      422: tooHeavy,
    },
    async handle({ params: { id = "" }, query: { limit, cursor: after } }) {
      const request = { ...generationOf(await known(options, id)), after, limit: limit + 1 };
      // The queue is read first: a delivery that ends meanwhile is then in at least one of the two.
      const waiting = await options.pending.list(request);
      const ended = await deliveriesList(options.history, request, options.now());
      const found = new Map<string, PendingDelivery | ListedDelivery>();
      for (const each of [...ended, ...waiting]) found.set(each.id, each);
      const sorted = [...found.values()].sort(newestFirst);
      const page = sorted.slice(0, limit);
      const last = sorted.length > limit ? page.at(-1) : undefined;
      const deliveries = page.map((each) => ("endedAt" in each ? answerOfEnded(each) : answerOfPending(each)));
      return { status: 200, body: { deliveries, next_cursor: last === undefined ? null : cursorOf(last) } };
    },
  });

const redeliverRoute = (options: DeliveryRoutesOptions): Route =>
  route({
    method: "POST",
    path: `${PATH}/deliveries/{delivery_id}/redeliver`,
    params: { ...params, delivery_id: "Id of the delivery, its `webhook-id`" },
    summary: "Sends a delivery once more, with the same id",
    description: "There is one attempt, at once and outside the order. A delivery that waits stays if it fails.",
    scope: "write",
    answers: {
      202: accepted,
      404: { description: "There is no such subscription, or it has no such delivery." },
      409: { description: "The subscription is stopped, or the body that was to be sent is not kept." },
      422: tooHeavy,
      429: tooMany,
      503: behind,
    },
    async handle({ params: { id = "", delivery_id: deliveryId = "" } }) {
      const subscription = await known(options, id);
      const { stopped } = subscription;
      if (stopped !== undefined) throw new Problem("conflict", `the subscription is stopped: ${stopped.reason}`);
      const of = generationOf(subscription);
      return ask(options, of, { id: deliveryId, request: await find(options, of, deliveryId) });
    },
  });

const testRoute = (options: DeliveryRoutesOptions): Route =>
  route({
    method: "POST",
    path: `${PATH}/test`,
    params,
    summary: "Sends a test signal to the receiver",
    description: "If the receiver takes it, deliveries that were stopped go on. A failure changes nothing.",
    scope: "write",
    answers: {
      202: accepted,
      404: unknownSubscription,
      409: { description: "The token of the subscription was revoked." },
      429: tooMany,
      503: behind,
    },
    async handle({ params: { id = "" } }) {
      const subscription = await known(options, id);
      if (subscription.stopped?.reason === "token_revoked")
        throw new Problem("conflict", "the subscription's token was revoked");
      const request = { kind: "test", createdAt: options.now() } as const;
      return ask(options, generationOf(subscription), { id: randomUUID(), request });
    },
  });

interface NamedRequest {
  readonly id: string;
  readonly request: RequestedDelivery;
}

async function ask({ pending }: DeliveryRoutesOptions, of: Generation, { id, request }: NamedRequest) {
  const outcome = await pending.request(of, id, request);
  if (outcome === "asked") return { status: 202, body: answerOfPending(pendingOf(id, request)) };
  if (outcome === "log behind") throw new Problem("unavailable", LOG_BEHIND, { headers: retryAfter(BUSY_MS) });
  throw new Problem("too-many-requests", TOO_MANY[outcome], { headers: retryAfter(BUSY_MS) });
}

/** Finds the payload to send again, in the queue or in the history. */
async function find(
  { pending, history }: DeliveryRoutesOptions,
  of: Generation,
  id: string,
): Promise<RequestedDelivery> {
  const waiting = await pending.find(of, id);
  if (waiting !== undefined) return { kind: "waiting", createdAt: waiting.createdAt, signal: waiting.signal };
  const delivery = await deliveryById(history, of, id);
  if (delivery === undefined) throw new Problem("not-found", `the subscription has no delivery ${id}`);
  if (delivery.body === "") throw new Problem("conflict", "what was to be sent is not kept");
  return { kind: "ended", createdAt: delivery.createdAt, delivery };
}

const answerOfPending = ({ id, signal, createdAt, attempts }: PendingDelivery): DeliveryAnswer => ({
  id,
  signal,
  status: "pending",
  created_at: isoTime(createdAt),
  ended_at: null,
  attempts: attemptsOf(attempts),
});

const answerOfEnded = (ended: ListedDelivery): DeliveryAnswer => ({
  ...answerOfPending(ended),
  status: ended.status,
  ended_at: isoTime(ended.endedAt),
});

const attemptsOf = (attempts: PendingDelivery["attempts"]) =>
  attempts.map(({ at, ...rest }) => ({ at: isoTime(at), ...rest }));

const cursorOf = ({ createdAt, id }: DeliveryPosition): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");
