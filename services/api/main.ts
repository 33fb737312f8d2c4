import { projectedUpTo } from "../../projections/history/queries/positions.ts";
import { tracksByIds } from "../../projections/history/queries/tracks.ts";
import { createCodec } from "../../schemas/codec.ts";
import { topicName } from "../../schemas/topics.ts";
import { createClickHouse } from "../common/clickhouse.ts";
import { loadConfig } from "../common/config.ts";
import { createKafka } from "../common/kafka/client.ts";
import { createPublisher } from "../common/kafka/publisher.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { createRedis } from "../common/redis.ts";
import { createApi } from "./api.ts";
import { createPositionGate } from "./await-position.ts";
import { createCatalogView } from "./catalog-view.ts";
import { apiEnv, groupPrefix } from "./config.ts";
import { followViews } from "./follow-views.ts";
import { createMutations } from "./mutations/index.ts";
import { createEventWriter } from "./publish.ts";
import { readApplied } from "./read-applied.ts";
import { subscriptionsEnv } from "./subscriptions/config.ts";
import { mountSubscriptions } from "./subscriptions/mount.ts";
import { subscriptionResolvers } from "./subscriptions/resolvers.ts";
import { createTrackRouting } from "./track-routing.ts";
import { createZonesView } from "./zones-view.ts";

const stopSignal = stopRequested();
const config = loadConfig(apiEnv, process.env);
const subscriptions = loadConfig(subscriptionsEnv, process.env);
const log = createLog("api", config.LOG_LEVEL);

await main(log, async () => {
  const namespace = config.TRACKLOG_NAMESPACE;
  const topic = (name: "camera-log" | "catalog" | "zone-intersections") => topicName(namespace, name);
  const codec = await createCodec(config.SCHEMA_REGISTRY_URL);
  const kafka = createKafka("tracklog-api", config.KAFKA_BROKERS, log);
  const clickhouse = createClickHouse(config);
  const redis = createRedis(config.REDIS_URL, log);
  const publisher = createPublisher({
    kafka,
    topics: [topic("camera-log"), topic("catalog")],
    log,
    lingerMs: config.API_LINGER_MS,
    maxBatchBytes: config.API_BATCH_BYTES,
    maxQueueBytes: config.API_QUEUE_BYTES,
    timeoutMs: config.API_PUBLISH_TIMEOUT_MS,
  });

  const catalog = createCatalogView();
  const zones = createZonesView();
  const views = followViews({
    kafka,
    codec,
    namespace,
    groupPrefix: groupPrefix(namespace),
    catalog,
    zones,
    log,
  });
  const positions = {
    projected: (name: "camera-log" | "zone-intersections") => projectedUpTo(clickhouse, topic(name)),
    applied: (partition: number) => readApplied(redis.client, namespace, partition),
    catalog: catalog.nextOffset,
  };

  const { now } = Date;
  const maxMessageBytes = config.API_MAX_MESSAGE_BYTES;
  const writer = createEventWriter({ publisher, codec, namespace, maxMessageBytes, now });
  const routing = createTrackRouting({
    redis: redis.client,
    namespace,
    history: (ids) => tracksByIds(clickhouse, ids),
    log,
    maxTracks: config.API_ROUTING_TRACKS,
    ttlSeconds: config.API_ROUTING_TTL_S,
  });
  const Mutation = createMutations({ writer, routing, maxFutureMs: config.MAX_FUTURE_MS, now });

  // Off first when stopping: for a moment the load balancer still sends requests here.
  const readiness = { ready: false };
  const api = await createApi({
    config,
    log,
    catalog,
    zones,
    history: { client: clickhouse, dataSourceIds: catalog.dataSourceIds },
    gate: createPositionGate(positions, config.API_POSITION_WAIT_MS),
    resolvers: { Mutation, Subscription: subscriptionResolvers },
    isReady: () => readiness.ready,
    mount: (parts) =>
      mountSubscriptions(parts, {
        ...{ kafka, codec, namespace, catalog, zones, routing, log },
        groupPrefix: groupPrefix(namespace),
        maxFutureMs: config.MAX_FUTURE_MS,
        config: subscriptions,
      }),
  });
  const caughtUp = {
    name: "readiness",
    start: async () => {
      await Promise.race([views.caughtUp, views.failed]);
      readiness.ready = true;
    },
    stop: async () => {
      readiness.ready = false;
    },
  };
  const history = { name: "clickhouse", start: async () => {}, stop: () => clickhouse.close() };

  await run([history, redis, publisher, views, api, caughtUp], stopSignal, log);
});
