// The deliveries that wait, as the queues in Redis have them, and what somebody asks for.
import type { Redis } from "ioredis";
import { z } from "zod";
import { type AskedDelivery, parseAsked, textOf } from "../../../projections/deliveries/asked.ts";
import { type Generation, queueIdOf } from "../../../projections/deliveries/queue-id.ts";
import { createdAtOf } from "../../../projections/deliveries/waiting.ts";
import type { DeliveriesRequest } from "../../../projections/history/queries/deliveries.ts";
import type { DeliveryAttempt } from "../../../schemas/records/delivery-ended.ts";
import { askedChannel, deliveryKeys } from "../../../schemas/redis-keys.ts";
import { comesAfter, newestFirst } from "./order.ts";
import { ASK_SCRIPT, ASKED_SCRIPT, NAMES_SCRIPT } from "./scripts.ts";

export interface PendingDelivery {
  readonly id: string;
  readonly createdAt: number;
  readonly signal: string;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface Pending {
  /** Newest first. */
  list(request: DeliveriesRequest): Promise<readonly PendingDelivery[]>;
  /** undefined: it does not wait. */
  find(of: Generation, id: string): Promise<PendingDelivery | undefined>;
  /**
   * "full": of this subscription as much is asked for as may be, "all full": of all together. One that is asked for
   * already stays so. "log behind": the delivery log must be told of too much before.
   */
  ask(of: Generation, id: string, asked: AskedDelivery): Promise<AskOutcome>;
}

const askReply = z.enum(["asked", "full", "all full", "log behind"]);

type AskOutcome = z.output<typeof askReply>;

export interface PendingOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly partitionOf: (subscriptionId: string) => number;
}

/** Of one subscription. */
const MAX_ASKED = 100;
/** The same with all bodies, beyond the first one. */
const MAX_ASKED_BYTES = 1024 * 1024;
/** Of all subscriptions in a partition. */
const MAX_ALL_ASKED_BYTES = 16 * 1024 * 1024;
/** Redis does nothing else while it looks at so many payloads. */
const PORTION = 25;
/** A millisecond has so many places in the order of a queue. */
const PLACES_PER_MS = 1_000;

const texts = z.array(z.string());

export function createPending({ redis, namespace, partitionOf }: PendingOptions): Pending {
  function keysOf(of: Generation) {
    const { asked, position, of: queueKeys } = deliveryKeys(namespace, partitionOf(of.subscriptionId));
    return { asked, position, ...queueKeys(queueIdOf(of)) };
  }

  /** The name of each one's signal; "" = it does not wait. The payloads stay where they are. */
  async function namesOf(items: string, ids: readonly string[]): Promise<readonly string[]> {
    const names: string[] = [];
    for (let at = 0; at < ids.length; at += PORTION) {
      names.push(...texts.parse(await redis.eval(NAMES_SCRIPT, 1, items, ...ids.slice(at, at + PORTION))));
    }
    return names;
  }

  /** With what is known of the one that is being tried. */
  async function read(of: Generation, found: readonly { id: string; createdAt: number }[]) {
    if (found.length === 0) return [];
    const { items, state } = keysOf(of);
    const [names, [taken, attempts]] = await Promise.all([
      namesOf(
        items,
        found.map(({ id }) => id),
      ),
      redis.hmget(state, "taken", "attempts"),
    ]);
    return found.flatMap(({ id, createdAt }, i): PendingDelivery[] => {
      const signal = names[i] ?? "";
      if (signal === "") return [];
      return [{ id, createdAt, signal, attempts: id === taken && attempts != null ? JSON.parse(attempts) : [] }];
    });
  }

  async function queued(request: DeliveriesRequest): Promise<readonly PendingDelivery[]> {
    const { after, limit } = request;
    const { queue } = keysOf(request);
    const from = after === undefined ? "+inf" : `(${(after.createdAt + 1) * PLACES_PER_MS}`;
    const reply = await redis.zrevrangebyscore(queue, from, "-inf", "WITHSCORES", "LIMIT", 0, limit + PLACES_PER_MS);
    const found = reply.flatMap((id, i) => (i % 2 === 0 ? [{ id, createdAt: createdAtOf(Number(reply[i + 1])) }] : []));
    return read(request, found.filter(comesAfter(after)).sort(newestFirst).slice(0, limit));
  }

  async function askedFor(request: DeliveriesRequest): Promise<readonly PendingDelivery[]> {
    const reply = texts.parse(await redis.eval(ASKED_SCRIPT, 1, keysOf(request).express));
    const found = reply.flatMap((id, i) => (i % 2 === 0 ? [pendingOf(id, parseAsked(reply[i + 1] ?? ""))] : []));
    return found.filter(comesAfter(request.after));
  }

  return {
    async list(request) {
      const [asked, waiting] = await Promise.all([askedFor(request), queued(request)]);
      const byId = new Map([...asked, ...waiting].map((each) => [each.id, each]));
      return [...byId.values()].sort(newestFirst).slice(0, request.limit);
    },

    async find(of, id) {
      const order = await redis.zscore(keysOf(of).queue, id);
      if (order === null) return undefined;
      const [found] = await read(of, [{ id, createdAt: createdAtOf(Number(order)) }]);
      return found;
    },

    async ask(of, id, asked) {
      const keys = keysOf(of);
      const queueId = queueIdOf(of);
      const notice = `${partitionOf(of.subscriptionId)}/${queueId}`;
      const bounds = [MAX_ASKED, MAX_ASKED_BYTES, MAX_ALL_ASKED_BYTES];
      const args = [id, textOf(asked), queueId, ...bounds, askedChannel(namespace), notice];
      return askReply.parse(await redis.eval(ASK_SCRIPT, 3, keys.express, keys.asked, keys.position, ...args));
    },
  };
}

export function pendingOf(id: string, asked: AskedDelivery): PendingDelivery {
  const { createdAt } = asked;
  if (asked.kind === "test") return { id, createdAt, signal: "test", attempts: [] };
  if (asked.kind === "waiting") return { id, createdAt, signal: asked.signal, attempts: [] };
  const { signal, attempts } = asked.delivery;
  return { id, createdAt, signal, attempts };
}
