// The parts of the delivery of signals, in the order in which they start.
import { createCatalog } from "../../projections/catalog/catalog.ts";
import { generationOf, isQueueId, queueIdOf } from "../../projections/deliveries/queue-id.ts";
import { createSubscriptions } from "../../projections/subscriptions/subscriptions.ts";
import { askedChannel } from "../../schemas/redis-keys.ts";
import { groupName, type Topic, topicName } from "../../schemas/topics.ts";
import { followRecords } from "../common/follow-records.ts";
import { createKafka } from "../common/kafka/client.ts";
import { filledViews } from "../common/kafka/follow.ts";
import { createGroupReader } from "../common/kafka/group-reader.ts";
import { topicIds } from "../common/kafka/log-id.ts";
import { createPartitionOf } from "../common/kafka/partition-of.ts";
import { createPublisher } from "../common/kafka/publisher.ts";
import { offsetsSince } from "../common/kafka/read-some.ts";
import type { Part } from "../common/lifecycle.ts";
import { pause } from "../common/loop.ts";
import { createOutbound } from "../common/outbound/client.ts";
import { createGuard, trusting } from "../common/outbound/guard.ts";
import { createRedis, type RedisPart, redisDatabase } from "../common/redis.ts";
import { createSealer } from "../common/sealed.ts";
import type { Assembling } from "../common/service.ts";
import { createAskChronicles } from "./ask-chronicles.ts";
import { createChronicles } from "./chronicles.ts";
import type { WebhooksConfig } from "./config.ts";
import { finishedSignals } from "./finished.ts";
import { createIntake, type Intake } from "./intake.ts";
import { createQueue } from "./queue.ts";
import { createReceivers } from "./receivers.ts";
import { createRoom } from "./room.ts";
import { createSend } from "./send.ts";
import { createSlots } from "./slots.ts";
import { createStops } from "./stops.ts";
import { createTenure } from "./tenure.ts";

/** Signals derive from these; their ids say which log a cause is of. */
const LOGS: readonly Topic[] = ["signals", "camera-log", "chronicles"];
const DATABASE = 1;
const BATCH_BYTES = 2 * 1024 * 1024;
/** Shorter than a part has to stop. */
const CATCH_UP_MS = 2_000;
/** Longer than a signal is tried. The log may keep signals for longer than it says: a segment goes as a whole. */
const FINISHED_MS = 2 * 86_400_000;

export function assemble({ config, codec, log }: Assembling<WebhooksConfig>): readonly Part[] {
  const namespace = config.TRACKLOG_NAMESPACE;
  const topic = (name: Topic) => topicName(namespace, name);
  const kafka = createKafka("tracklog-webhooks", config, log);
  const groupId = groupName(namespace, "webhooks");
  const redisUrl = redisDatabase(config.REDIS_URL, DATABASE);
  const redis = createRedis(redisUrl, log);
  const catalog = createCatalog();
  const subscriptions = createSubscriptions();
  const following = { kafka, codec, namespace, groupPrefix: groupId, log };
  const follower = followRecords({ ...following, topic: "subscriptions", apply: subscriptions.apply });
  const views = [followRecords({ ...following, topic: "catalog", apply: catalog.apply }), follower];
  const publisher = createPublisher({
    kafka,
    topics: [topic("subscriptions"), topic("webhook-deliveries"), topic("signals")],
    log,
    lingerMs: 0,
    maxBatchBytes: 4 * 1024 * 1024,
    maxQueueBytes: 256 * 1024 * 1024,
    timeoutMs: 30_000,
  });
  const partitionOfKey = createPartitionOf(new Map([[topic("signals"), config.CAMERA_PARTITIONS]]));
  const partitionOf = (id: string) => partitionOfKey(topic("signals"), id);
  const told = { publisher, codec, namespace, subscriptions, catalog };
  const stops = createStops(told);
  const allowSelfSigned = config.OUTBOUND_ALLOW_SELF_SIGNED;
  const outbound = createOutbound({ guard: createGuard(config, "public"), allowSelfSigned });
  // The installation chose its own API.
  const own = createOutbound({ guard: trusting, allowSelfSigned });
  const sealer = createSealer(config);
  const send = createSend({
    outbound,
    sealer,
    receivers: createReceivers(),
    slots: createSlots({
      requests: config.WEBHOOKS_REQUESTS,
      bytes: config.WEBHOOKS_REQUESTS_BYTES,
      perOrigin: config.WEBHOOKS_REQUESTS_PER_ORIGIN,
    }),
    timeoutMs: config.WEBHOOKS_TIMEOUT_MS,
  });
  const caughtUp = () => follower.catchUp(CATCH_UP_MS);
  const laneDeps = { subscriptions, caughtUp, catalog, send, stops, retries: retriesOf(config) };
  const room = createRoom({
    ...{ redis: redis.client, namespace },
    partitions: config.CAMERA_PARTITIONS,
    maxBytes: config.WEBHOOKS_ALL_QUEUES_BYTES,
  });
  const intake = createIntake({
    reader: createGroupReader({
      kafka,
      groupId,
      topics: [topic("signals")],
      log,
      inboxMessages: 2_000,
      learn: codec.learn,
      sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT_MS,
    }),
    codec,
    log,
    subscriptions,
    caughtUp,
    createQueue: (partition, owner) =>
      createQueue({ redis: redis.client, namespace, partition, owner, bounds: boundsOf(config), room }),
    createTenure: (queue, onLost, onFailed) =>
      createTenure(queue, {
        ...told,
        ...laneDeps,
        stopAfter: config.WEBHOOKS_STOP_AFTER_FAILURES,
        log,
        onLost,
        onFailed,
      }),
    logIds: async () => {
      const ids = await topicIds(kafka, LOGS.map(topic));
      return new Map(LOGS.map((name) => [name, ids.get(topic(name)) ?? name]));
    },
    stopRevoked: async (isOwned) => {
      for (const each of subscriptions.active()) {
        if (!stops.isRevoked(each) || !isOwned(partitionOf(each.key))) continue;
        await stops.set(each, "token_revoked", "the token of the subscription was revoked");
      }
    },
    async afresh(isOwned) {
      const since = Date.now() - FINISHED_MS;
      const finished = await finishedSignals({ ...following, codec }, since, (id) => isOwned(partitionOf(id)));
      // Whether an older signal has been delivered is not known: it is older than any that is still tried.
      return { finished, from: await offsetsSince(kafka, topic("signals"), since) };
    },
  });
  subscriptions.onChange((id, before, after) => {
    const tenure = intake.tenureOf(partitionOf(id));
    if (before !== undefined && before.createdAt !== after?.createdAt) tenure?.forget(queueIdOf(generationOf(before)));
    if (after !== undefined) tenure?.change(queueIdOf(generationOf(after)));
  });
  catalog.onChange("token", intake.lookNow);
  const notices = createNotices(createRedis(redisUrl, log), namespace, intake);
  const closeAll = () => {
    outbound.close();
    own.close();
  };
  const delivering = [
    ...views,
    // A half-filled view would miss that a subscription was stopped.
    filledViews(views),
    redis,
    publisher,
    closing(closeAll),
    intake,
    notices,
  ];
  const url = config.WEBHOOKS_GRAPHQL_URL;
  if (url === "") return delivering;
  const readingGroup = groupName(namespace, "chronicle-signals");
  const reading = { kafka, groupId: readingGroup, topics: [topic("chronicles")], log, learn: codec.learn };
  const chronicles = createChronicles({
    ...{ kafka, groupId: readingGroup, namespace, codec, subscriptions, sealer, publisher, log },
    reader: createGroupReader({ ...reading, sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT_MS }),
    isRevoked: stops.isRevoked,
    createAsk: (signal) => createAskChronicles({ outbound: own, url, signal, log, wait: (ms) => pause(ms, signal) }),
    redis: redis.client,
    memorySeconds: config.CHRONICLE_STATE_TTL,
  });
  return [...delivering, chronicles];
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

const closing = (close: () => void): Part => ({
  name: "connections to receivers",
  start: async () => {},
  stop: async () => close(),
});

/** A connection that waits for notices can do nothing else. */
const createNotices = (redis: RedisPart, namespace: string, intake: Intake): Part => ({
  ...redis,
  name: "notices",
  async start() {
    redis.client.on("message", (_channel, text) => {
      const [partition = ""] = text.split("/", 1);
      const queueId = text.slice(partition.length + 1);
      if (isQueueId(queueId)) intake.tenureOf(Number(partition))?.express(queueId);
    });
    await redis.start();
    await redis.client.subscribe(askedChannel(namespace));
  },
});
