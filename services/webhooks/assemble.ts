// Parts of the delivery of signals, in the order in which they start.
import { generationOf, isQueueId, queueIdOf } from "../../projections/webhooks/deliveries/queue-id.ts";
import { askedChannel } from "../../schemas/redis-keys.ts";
import { groupName } from "../../schemas/topics.ts";
import { filledViews } from "../common/kafka/read/follow.ts";
import { closingPart, type Part } from "../common/lifecycle.ts";
import { pause } from "../common/loop.ts";
import { createOutbound, type Outbound } from "../common/outbound/client.ts";
import { createGuard, trusting } from "../common/outbound/guard.ts";
import type { Assembling } from "../common/process/service.ts";
import { createNotices } from "../common/redis/client.ts";
import { assembleIntake } from "./assemble-intake.ts";
import { answerTimeoutMs, createAskChronicles } from "./chronicles/ask-chronicles.ts";
import { createChronicles } from "./chronicles/chronicles.ts";
import { createWebhooksClients, type WebhooksClients } from "./clients.ts";
import type { WebhooksConfig } from "./config.ts";
import type { SignalIntake } from "./partition/intake.ts";

export function assembleWebhooks(assembling: Assembling<WebhooksConfig>): readonly Part[] {
  const { config } = assembling;
  const clients = createWebhooksClients(assembling);
  const allowSelfSigned = config.OUTBOUND_ALLOW_SELF_SIGNED;
  const outbound = createOutbound({ guard: createGuard(config, "public"), allowSelfSigned });
  // The operator chose the URL of our own API, so it needs no check of addresses.
  const own = createOutbound({ guard: trusting, allowSelfSigned });
  const closeAll = () => {
    outbound.close();
    own.close();
  };
  const intake = assembleIntake(clients, outbound);
  passChangesOn(clients, intake);
  const url = config.WEBHOOKS_GRAPHQL_URL;
  return [
    ...clients.views,
    // A half-filled view would miss that a subscription was stopped.
    filledViews(clients.views),
    clients.redis,
    clients.publisher,
    closingPart("connections to receivers", closeAll),
    intake,
    noticesOf(clients, intake),
    ...(url === "" ? [] : [chroniclesOf(clients, own, url)]),
  ];
}

/** A changed subscription wakes its lane, a deleted one is forgotten, and a revoked token stops its subscriptions. */
function passChangesOn({ subscriptions, catalog, partitionOf }: WebhooksClients, intake: SignalIntake): void {
  subscriptions.onChange((id, before, after) => {
    const lanes = intake.lanesOf(partitionOf(id));
    if (before !== undefined && before.createdAt !== after?.createdAt) lanes?.forget(queueIdOf(generationOf(before)));
    if (after !== undefined) lanes?.change(queueIdOf(generationOf(after)));
  });
  catalog.onChange("token", intake.checkNow);
}

/** Clients request deliveries through the REST interface, which notifies the owner of the queue. */
function noticesOf({ createListener, namespace }: WebhooksClients, intake: SignalIntake): Part {
  const channel = askedChannel(namespace);
  return createNotices(createListener(channel), channel, (text) => {
    const [partition = ""] = text.split("/", 1);
    const queueId = text.slice(partition.length + 1);
    if (isQueueId(queueId)) intake.lanesOf(Number(partition))?.express(queueId);
  });
}

function chroniclesOf(clients: WebhooksClients, outbound: Outbound, url: string): Part {
  const { config, log, stops, redis } = clients;
  const groupId = groupName(clients.namespace, "chronicle-signals");
  return createChronicles({
    ...clients,
    groupId,
    reader: clients.readAs(groupId, "chronicles"),
    isRevoked: stops.isRevoked,
    createAsk: (signal) => {
      const wait = (ms: number) => pause(ms, signal);
      return createAskChronicles({ outbound, url, timeoutMs: answerTimeoutMs(config), signal, log, wait });
    },
    redis: redis.client,
    memorySeconds: config.CHRONICLE_STATE_TTL,
  });
}
