// Connections, views and stops that the parts of webhooks share.
import { createCatalog } from "../../projections/catalog/catalog.ts";
import { createSubscriptions } from "../../projections/webhooks/subscriptions/subscriptions.ts";
import { groupName, type Topic, topicName } from "../../schemas/topics.ts";
import { MIB } from "../../schemas/units.ts";
import { createKafka } from "../common/kafka/client.ts";
import { createPartitionOf } from "../common/kafka/partition-of.ts";
import { followRecords } from "../common/kafka/read/follow-records.ts";
import { createGroupReader, type GroupReaderOptions } from "../common/kafka/read/group-reader.ts";
import { createPublisher } from "../common/kafka/write/publisher.ts";
import type { Assembling } from "../common/process/service.ts";
import { redisDatabase } from "../common/redis/client.ts";
import { createRedisClient } from "../common/redis/cluster.ts";
import { createRedisOf } from "../common/redis/key-connection.ts";
import { createSealer } from "../common/sealed.ts";
import type { WebhooksConfig } from "./config.ts";
import { createStops } from "./deliver/stops.ts";

const DATABASE = 1;
/** Must be shorter than the time that a part has to stop. */
const CATCH_UP_MS = 2_000;

export type WebhooksClients = ReturnType<typeof createWebhooksClients>;

export function createWebhooksClients({ config, codec, log }: Assembling<WebhooksConfig>) {
  const namespace = config.TRACKLOG_NAMESPACE;
  const topic = (name: Topic) => topicName(namespace, name);
  const kafka = createKafka("tracklog-webhooks", config, log);
  const redisConfig = redisDatabase(config, DATABASE);
  const catalog = createCatalog();
  const subscriptions = createSubscriptions();
  const groupPrefix = groupName(namespace, "webhooks");
  const following = { kafka, codec, namespace, groupPrefix, log };
  const follower = followRecords({ ...following, topic: "subscriptions", apply: subscriptions.apply });
  const publisher = createPublisher({
    kafka,
    topics: [topic("subscriptions"), topic("webhook-deliveries"), topic("signals")],
    log,
    lingerMs: 0,
    maxBatchBytes: 4 * MIB,
    maxQueueBytes: 256 * MIB,
    timeoutMs: 30_000,
  });
  const partitionOf = createPartitionOf(new Map([[topic("signals"), config.CAMERA_PARTITIONS]]));
  const readAs = (groupId: string, name: Topic, inbox: Pick<GroupReaderOptions, "inboxMessages"> = {}) =>
    createGroupReader({
      kafka,
      groupId,
      topics: [topic(name)],
      log,
      loadSchemas: codec.loadSchemas,
      sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT_MS,
      ...inbox,
    });
  return {
    config,
    ...following,
    topic,
    redis: createRedisClient(redisConfig, log),
    /** A connection that is subscribed to notices can send no other commands. */
    createListener: (channel: string) => createRedisOf(channel, redisConfig, log),
    catalog,
    subscriptions,
    views: [followRecords({ ...following, topic: "catalog", apply: catalog.apply }), follower],
    /** Resolves when `subscriptions` has everything that the log had at the call. */
    caughtUp: () => follower.catchUp(CATCH_UP_MS),
    publisher,
    stops: createStops({ publisher, codec, namespace, subscriptions, catalog }),
    sealer: createSealer(config),
    /** The partition of the signals of a subscription. */
    partitionOf: (subscriptionId: string) => partitionOf(topic("signals"), subscriptionId),
    readAs,
  };
}
