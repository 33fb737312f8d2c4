// Deliveries that wait in the queues in Redis, and deliveries that clients requested.
import type { DeliveriesRequest } from "../../../projections/history/queries/deliveries.ts";
import { FULL_OUTBOX_BYTES } from "../../../projections/webhooks/deliveries/outbox-bounds.ts";
import { type Generation, queueIdOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import {
  parseRequestedDelivery,
  type RequestedDelivery,
  textOf,
} from "../../../projections/webhooks/deliveries/requested-delivery.ts";
import { createdAtOf } from "../../../projections/webhooks/deliveries/waiting.ts";
import type { DeliveryAttempt } from "../../../schemas/records/delivery-ended.ts";
import { askedChannel, deliveryKeys } from "../../../schemas/redis-keys.ts";
import { MIB } from "../../../schemas/units.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { comesAfter, newestFirst } from "./order.ts";
import { deliveryScripts } from "./scripts.ts";

export interface PendingDelivery {
  readonly id: string;
  readonly createdAt: number;
  readonly signal: string;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface Pending {
  /** Newest first. */
  list(request: DeliveriesRequest): Promise<readonly PendingDelivery[]>;
  /** @returns undefined when the delivery does not wait. */
  find(of: Generation, id: string): Promise<PendingDelivery | undefined>;
  /**
   * Requests a delivery; repeating a request changes nothing. Resolves with "full" when the subscription has as many
   * requests as are allowed, "all full" when all subscriptions together have, and "log behind" while the delivery log
   * lacks too many ended deliveries.
   */
  request(of: Generation, id: string, request: RequestedDelivery): Promise<AskOutcome>;
}

type AskOutcome = Awaited<ReturnType<typeof deliveryScripts.request>>;

export interface PendingOptions {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly partitionOf: (subscriptionId: string) => number;
}

const ASK_BOUNDS = {
  /** Number of requests of one subscription. */
  maxRequests: 100,
  /** Bytes of the requests of one subscription, bodies included. The first request may exceed them. */
  maxBytes: MIB,
  /** Bytes of the requests of all subscriptions in a partition. */
  maxPartitionBytes: 16 * MIB,
  fullOutboxBytes: FULL_OUTBOX_BYTES,
};
/** Payloads that Redis reads in one script; it does nothing else meanwhile. */
const PORTION = 25;
/** Scores of a queue per millisecond of creation time: deliveries of the same millisecond have different scores. */
const PLACES_PER_MS = 1_000;

export function createPending(options: PendingOptions): Pending {
  const { redis, namespace, partitionOf } = options;

  return {
    async list(request) {
      const [requested, waiting] = await Promise.all([requestedOf(options, request), queued(options, request)]);
      const byId = new Map([...requested, ...waiting].map((each) => [each.id, each]));
      return [...byId.values()].sort(newestFirst).slice(0, request.limit);
    },

    async find(of, id) {
      const order = await redis.zscore(keysOf(options, of).queue, id);
      if (order === null) return undefined;
      const [found] = await read(options, of, [{ id, createdAt: createdAtOf(Number(order)) }]);
      return found;
    },

    async request(of, id, request) {
      const keys = keysOf(options, of);
      const queueId = queueIdOf(of);
      const notice = `${partitionOf(of.subscriptionId)}/${queueId}`;
      const stored = { id, request: textOf(request), queueId, channel: askedChannel(namespace), notice };
      return deliveryScripts.request(redis, { ...keys, ...stored, ...ASK_BOUNDS });
    },
  };
}

function keysOf(options: PendingOptions, of: Generation) {
  const { asked, position, of: queueKeys } = deliveryKeys(options.namespace, options.partitionOf(of.subscriptionId));
  return { asked, position, ...queueKeys(queueIdOf(of)) };
}

/** Returns the name of each delivery's signal; "" when it does not wait. The payloads stay in Redis. */
async function namesOf(options: PendingOptions, items: string, ids: readonly string[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (let at = 0; at < ids.length; at += PORTION) {
    names.push(...(await deliveryScripts.names(options.redis, { items, ids: ids.slice(at, at + PORTION) })));
  }
  return names;
}

/** Reads deliveries of a queue, and adds the attempts of the one under way. */
async function read(options: PendingOptions, of: Generation, found: readonly { id: string; createdAt: number }[]) {
  if (found.length === 0) return [];
  const { items, state } = keysOf(options, of);
  const ids = found.map(({ id }) => id);
  const [names, [taken, attempts]] = await Promise.all([
    namesOf(options, items, ids),
    options.redis.hmget(state, "taken", "attempts"),
  ]);
  return found.flatMap(({ id, createdAt }, i): PendingDelivery[] => {
    const signal = names[i] ?? "";
    if (signal === "") return [];
    return [{ id, createdAt, signal, attempts: id === taken && attempts != null ? JSON.parse(attempts) : [] }];
  });
}

async function queued(options: PendingOptions, request: DeliveriesRequest): Promise<readonly PendingDelivery[]> {
  const { after, limit } = request;
  const { queue } = keysOf(options, request);
  const from = after === undefined ? "+inf" : `(${(after.createdAt + 1) * PLACES_PER_MS}`;
  const most = limit + PLACES_PER_MS;
  const reply = await options.redis.zrevrangebyscore(queue, from, "-inf", "WITHSCORES", "LIMIT", 0, most);
  const found = reply.flatMap((id, i) => (i % 2 === 0 ? [{ id, createdAt: createdAtOf(Number(reply[i + 1])) }] : []));
  return read(options, request, found.filter(comesAfter(after)).sort(newestFirst).slice(0, limit));
}

async function requestedOf(options: PendingOptions, request: DeliveriesRequest): Promise<readonly PendingDelivery[]> {
  const reply = await deliveryScripts.requested(options.redis, { express: keysOf(options, request).express });
  const found = reply.flatMap((id, i) =>
    i % 2 === 0 ? [pendingOf(id, parseRequestedDelivery(reply[i + 1] ?? ""))] : [],
  );
  return found.filter(comesAfter(request.after));
}

export function pendingOf(id: string, request: RequestedDelivery): PendingDelivery {
  const { createdAt } = request;
  if (request.kind === "test") return { id, createdAt, signal: "test", attempts: [] };
  if (request.kind === "waiting") return { id, createdAt, signal: request.signal, attempts: [] };
  const { signal, attempts } = request.delivery;
  return { id, createdAt, signal, attempts };
}
