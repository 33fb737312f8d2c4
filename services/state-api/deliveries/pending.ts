// The deliveries that wait, as the queues in Redis have them, and what somebody asks for.
import type { Redis } from "ioredis";
import { z } from "zod";
import { type AskedDelivery, parseAsked } from "../../../projections/deliveries/asked.ts";
import { type Generation, queueIdOf } from "../../../projections/deliveries/queue-id.ts";
import { createdAtOf, parseItem } from "../../../projections/deliveries/waiting.ts";
import type { DeliveriesRequest } from "../../../projections/history/queries/deliveries.ts";
import type { DeliveryAttempt } from "../../../schemas/records/delivery-ended.ts";
import { askedChannel, deliveryKeys } from "../../../schemas/redis-keys.ts";
import { comesAfter, newestFirst } from "./order.ts";

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
  /** "full": too many are asked for already. One that is asked for already stays so. */
  ask(of: Generation, id: string, asked: AskedDelivery): Promise<"asked" | "full">;
}

export interface PendingOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly partitionOf: (subscriptionId: string) => number;
}

/** Of one subscription. */
const MAX_ASKED = 100;
/** A millisecond has so many places in the order of a queue. */
const PLACES_PER_MS = 1_000;

/** KEYS: express, asked. ARGV: id, what is asked, queue, the most, channel, notice. */
const ASK_SCRIPT = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then return 'full' end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
redis.call('SADD', KEYS[2], ARGV[3])
redis.call('PUBLISH', ARGV[5], ARGV[6])
return 'asked'`;

const askReply = z.enum(["asked", "full"]);

export function createPending({ redis, namespace, partitionOf }: PendingOptions): Pending {
  function keysOf(of: Generation) {
    const { asked, of: queueKeys } = deliveryKeys(namespace, partitionOf(of.subscriptionId));
    return { asked, ...queueKeys(queueIdOf(of)) };
  }

  /** With what is known of the one that is being tried. */
  async function read(of: Generation, found: readonly { id: string; createdAt: number }[]) {
    if (found.length === 0) return [];
    const { items, state } = keysOf(of);
    const [texts, [taken, attempts]] = await Promise.all([
      redis.hmget(items, ...found.map(({ id }) => id)),
      redis.hmget(state, "taken", "attempts"),
    ]);
    return found.flatMap(({ id, createdAt }, i): PendingDelivery[] => {
      const text = texts[i];
      if (text == null) return [];
      const item = parseItem(text);
      const signal = "batch" in item ? "batch" : item.signal.signal;
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
    const asked = await redis.hgetall(keysOf(request).express);
    const found = Object.entries(asked).map(([id, text]) => pendingOf(id, parseAsked(text)));
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
      const args = [id, JSON.stringify(asked), queueId, MAX_ASKED, askedChannel(namespace), notice];
      return askReply.parse(await redis.eval(ASK_SCRIPT, 2, keys.express, keys.asked, ...args));
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
