import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { AskedDelivery } from "../../../projections/deliveries/asked.ts";
import { type Generation, generationOf } from "../../../projections/deliveries/queue-id.ts";
import type { ListedDelivery } from "../../../projections/history/deliveries.ts";
import { type DeliveryPlace, deliveriesList, deliveryById } from "../../../projections/history/queries/deliveries.ts";
import type { Asked } from "../../../projections/history/queries/run.ts";
import type { Subscription, Subscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import { isoTime } from "../../../schemas/identity.ts";
import { isoTime as isoTimeText } from "../../../schemas/rest/pieces.ts";
import { newestFirst } from "../deliveries/order.ts";
import { type Pending, type PendingDelivery, pendingOf } from "../deliveries/pending.ts";
import { Problem, retryAfter } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";

export interface DeliveryRoutesOptions {
  readonly view: Pick<Subscriptions, "get">;
  readonly refresh: () => Promise<void>;
  readonly pending: Pending;
  readonly history: Asked;
  readonly now: () => number;
}

const PATH = "/api/subscriptions/{id}";
const MAX_LIMIT = 200;
const BUSY_MS = 5_000;
const TOO_MANY = {
  full: "too many deliveries of this subscription, or too large ones, are asked for already",
  "all full": "too large deliveries of all subscriptions are asked for already",
};

const LOG_BEHIND = "the delivery log does not take what it must be told of before";

/** ms: the year 2100. */
const LATEST = 4_102_444_800_000;
const place = z.tuple([z.number().int().min(0).max(LATEST), z.string()]);

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50),
  cursor: z
    .string()
    .max(1_000)
    .transform((text, context): DeliveryPlace => {
      const parsed = place.safeParse(parseCursor(text));
      if (parsed.success) return { createdAt: parsed.data[0], id: parsed.data[1] };
      context.addIssue({ code: "custom", message: "not a cursor of this list" });
      return z.NEVER;
    })
    .optional(),
});

const deliveryAnswer = z.object({
  id: z.string().meta({ description: "The webhook-id" }),
  signal: z.string().meta({ description: "batch for several signals, test for a test" }),
  status: z.enum(["pending", "delivered", "failed", "merged"]),
  created_at: isoTimeText,
  ended_at: isoTimeText.nullable(),
  attempts: z.array(
    z.object({
      at: isoTimeText,
      status: z.number().int().nullable(),
      error: z.string().nullable(),
      ms: z.number().int(),
    }),
  ),
});

const listAnswer = z.object({ deliveries: z.array(deliveryAnswer), next_cursor: z.string().nullable() });
const unknown = { description: "There is no such subscription or delivery" };
const conflict = { description: "The subscription is stopped, or what was sent is not kept" };
const accepted = { description: "It is tried at once; the list shows the outcome", schema: deliveryAnswer };

export function deliveryRoutes({ view, refresh, pending, history, now }: DeliveryRoutesOptions): readonly Route[] {
  async function known(id: string): Promise<Subscription> {
    await refresh();
    const subscription = view.get(id);
    if (subscription === undefined) throw new Problem("not-found", `there is no subscription ${id}`);
    return subscription;
  }

  async function ask(of: Generation, id: string, asked: AskedDelivery) {
    const outcome = await pending.ask(of, id, asked);
    if (outcome === "asked") return { status: 202, body: answerOfPending(pendingOf(id, asked)) };
    if (outcome === "log behind") throw new Problem("unavailable", LOG_BEHIND, { headers: retryAfter(BUSY_MS) });
    throw new Problem("too-many-requests", TOO_MANY[outcome], { headers: retryAfter(BUSY_MS) });
  }

  /** What is to be sent again, wherever it is. */
  async function find(of: Generation, id: string): Promise<AskedDelivery> {
    const waiting = await pending.find(of, id);
    if (waiting !== undefined) return { kind: "waiting", createdAt: waiting.createdAt, signal: waiting.signal };
    const delivery = await deliveryById(history, of, id);
    if (delivery === undefined) throw new Problem("not-found", `the subscription has no delivery ${id}`);
    if (delivery.body === "") throw new Problem("conflict", "what was to be sent is not kept");
    return { kind: "ended", createdAt: delivery.createdAt, delivery };
  }

  return [
    route({
      method: "GET",
      path: `${PATH}/deliveries`,
      summary: "Lists the deliveries of a subscription, newest first: those that wait, and those that ended",
      scope: "read",
      query: listQuery,
      answers: { 200: { description: "A page", schema: listAnswer }, 404: unknown },
      async handle({ params: { id = "" }, query: { limit, cursor: after } }) {
        const request = { ...generationOf(await known(id)), after, limit: limit + 1 };
        // The queue first: what ends meanwhile is then in one of both at least.
        const waiting = await pending.list(request);
        const ended = await deliveriesList(history, request, now());
        const found = new Map<string, PendingDelivery | ListedDelivery>();
        for (const each of [...ended, ...waiting]) found.set(each.id, each);
        const sorted = [...found.values()].sort(newestFirst);
        const page = sorted.slice(0, limit);
        const last = sorted.length > limit ? page.at(-1) : undefined;
        const deliveries = page.map((each) => ("endedAt" in each ? answerOfEnded(each) : answerOfPending(each)));
        return { status: 200, body: { deliveries, next_cursor: last === undefined ? null : cursorOf(last) } };
      },
    }),

    route({
      method: "POST",
      path: `${PATH}/deliveries/{delivery_id}/redeliver`,
      summary: "Sends a delivery once more, with the same id, at once and outside the order",
      scope: "write",
      answers: { 202: accepted, 404: unknown, 409: conflict },
      async handle({ params: { id = "", delivery_id: deliveryId = "" } }) {
        const subscription = await known(id);
        const { stopped } = subscription;
        if (stopped !== undefined) throw new Problem("conflict", `the subscription is stopped: ${stopped.reason}`);
        const of = generationOf(subscription);
        return ask(of, deliveryId, await find(of, deliveryId));
      },
    }),

    route({
      method: "POST",
      path: `${PATH}/test`,
      summary: "Sends a test signal; if it succeeds, deliveries that stopped go on",
      scope: "write",
      answers: { 202: accepted, 404: unknown, 409: conflict },
      async handle({ params: { id = "" } }) {
        const subscription = await known(id);
        if (subscription.stopped?.reason === "token_revoked")
          throw new Problem("conflict", "the subscription's token was revoked");
        return ask(generationOf(subscription), randomUUID(), { kind: "test", createdAt: now() });
      },
    }),
  ];
}

const answerOfPending = ({ id, signal, createdAt, attempts }: PendingDelivery): z.output<typeof deliveryAnswer> => ({
  id,
  signal,
  status: "pending",
  created_at: isoTime(createdAt),
  ended_at: null,
  attempts: attemptsOf(attempts),
});

const answerOfEnded = (ended: ListedDelivery): z.output<typeof deliveryAnswer> => ({
  ...answerOfPending(ended),
  status: ended.status,
  ended_at: isoTime(ended.endedAt),
});

const attemptsOf = (attempts: PendingDelivery["attempts"]) =>
  attempts.map(({ at, ...rest }) => ({ at: isoTime(at), ...rest }));

const cursorOf = ({ createdAt, id }: DeliveryPlace): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");

function parseCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}
