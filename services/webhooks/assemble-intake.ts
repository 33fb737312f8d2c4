// Creates the intake of signals with its dependencies. The intake owns partitions of the signals topic. Each partition
// has a queue in Redis, and lanes that send its deliveries.
import type { Topic } from "../../schemas/topics.ts";
import { DAY_MS, MIB } from "../../schemas/units.ts";
import { topicIds } from "../common/kafka/log-id.ts";
import { startsSince } from "../common/kafka/read/read-some.ts";
import type { Outbound } from "../common/outbound/client.ts";
import type { WebhooksClients } from "./clients.ts";
import type { WebhooksConfig } from "./config.ts";
import { createSend, type Send } from "./deliver/send.ts";
import { createDeliverySlots } from "./deliver/slots.ts";
import { DeliveryLanes } from "./partition/delivery-lanes.ts";
import { finishedSignals } from "./partition/finished.ts";
import { createSignalIntake, type SignalIntake } from "./partition/intake.ts";
import type { Afresh } from "./partition/take-over.ts";
import { createPayloadBudget } from "./queue/payload-budget.ts";
import { createQueue } from "./queue/queue.ts";
import { createReceivers } from "./queue/receivers.ts";

/**
 * Signals derive from messages of these topics; the ids of the topics distinguish a recreated log from the earlier one.
 */
const LOGS: readonly Topic[] = ["signals", "camera-log", "chronicles"];
const BATCH_BYTES = 2 * MIB;
const INBOX_MESSAGES = 2_000;
/**
 * When Redis has lost a queue, signals and ends of deliveries of this time are read again. Must be longer than
 * WEBHOOKS_KEEP_MS, for which a signal is tried. The start is explicit, because the log may keep signals beyond its
 * retention: it deletes whole segments.
 */
const FINISHED_MS = 2 * DAY_MS;

type IsOwned = (partition: number) => boolean;

export function assembleIntake(clients: WebhooksClients, outbound: Outbound): SignalIntake {
  const { config, namespace, redis } = clients;
  const payloadBudget = createPayloadBudget({
    redis: redis.client,
    namespace,
    partitions: config.CAMERA_PARTITIONS,
    maxBytes: config.WEBHOOKS_ALL_QUEUES_BYTES,
  });
  const delivering = {
    ...clients,
    send: sendWith(clients, outbound),
    retries: retriesOf(config),
    stopAfter: config.WEBHOOKS_STOP_AFTER_FAILURES,
  };
  return createSignalIntake({
    ...clients,
    topic: clients.topic("signals"),
    reader: clients.readAs(clients.groupPrefix, "signals", { inboxMessages: INBOX_MESSAGES }),
    createQueue: (partition, owner) =>
      createQueue({ redis: redis.client, namespace, partition, owner, bounds: boundsOf(config), payloadBudget }),
    createLanes: (queue, tenure) => new DeliveryLanes(queue, tenure, delivering),
    logIds: () => logIdsOf(clients),
    stopRevoked: (isOwned) => stopRevoked(clients, isOwned),
    afresh: (isOwned) => afresh(clients, isOwned),
  });
}

const sendWith = ({ config, sealer }: WebhooksClients, outbound: Outbound): Send =>
  createSend({
    outbound,
    sealer,
    receivers: createReceivers(),
    slots: createDeliverySlots({
      requests: config.WEBHOOKS_REQUESTS,
      bytes: config.WEBHOOKS_REQUESTS_BYTES,
      perOrigin: config.WEBHOOKS_REQUESTS_PER_ORIGIN,
    }),
    timeoutMs: config.WEBHOOKS_TIMEOUT_MS,
  });

async function logIdsOf({ kafka, topic }: WebhooksClients): Promise<ReadonlyMap<string, string>> {
  const ids = await topicIds(kafka, LOGS.map(topic));
  return new Map(LOGS.map((name) => [name, ids.get(topic(name)) ?? name]));
}

async function stopRevoked({ subscriptions, stops, partitionOf }: WebhooksClients, isOwned: IsOwned): Promise<void> {
  for (const each of subscriptions.active()) {
    if (!stops.isRevoked(each) || !isOwned(partitionOf(each.key))) continue;
    await stops.set(each, "token_revoked", "the token of the subscription was revoked");
  }
}

async function afresh(clients: WebhooksClients, isOwned: IsOwned): Promise<Afresh> {
  const { kafka, topic, partitionOf } = clients;
  const since = Date.now() - FINISHED_MS;
  const finished = await finishedSignals(clients, since, (id) => isOwned(partitionOf(id)));
  // Older signals are not read again: `finished` does not contain the ends of their deliveries, and they are too old to
  // be tried.
  return { finished, from: await startsSince(kafka, topic("signals"), since) };
}

const retriesOf = (config: WebhooksConfig) => ({
  firstDelayMs: config.WEBHOOKS_RETRY_MS,
  longestDelayMs: config.WEBHOOKS_LONGEST_RETRY_MS,
  keepMs: config.WEBHOOKS_KEEP_MS,
});

const boundsOf = (config: WebhooksConfig) => ({
  lagMs: config.WEBHOOKS_MERGE_AFTER_MS,
  maxWaiting: config.WEBHOOKS_QUEUE_SIGNALS,
  maxBytes: config.WEBHOOKS_QUEUE_BYTES,
  batchSignals: config.WEBHOOKS_BATCH_SIGNALS,
  batchBytes: BATCH_BYTES,
});
