// The parts of the API process, in the order in which they start.
import type { ClickHouseClient } from "@clickhouse/client";
import type { Kafka } from "kafkajs";
import { createCatalog } from "../../projections/catalog/catalog.ts";
import { createDataSourceIds } from "../../projections/catalog/data-source-ids.ts";
import { createHeartbeats } from "../../projections/catalog/heartbeats.ts";
import { createZonesView } from "../../projections/catalog/zones-view.ts";
import { heartbeatMessage } from "../../projections/feed/devices.ts";
import { chroniclesReferringTo } from "../../projections/history/queries/chronicle-referrers.ts";
import { tracksByIds, tracksOf } from "../../projections/history/queries/tracks.ts";
import { createGeofences } from "../../projections/live/partition.ts";
import { eventBoundsOf } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import { groupName, topicName, topicsWrittenByApi } from "../../schemas/topics.ts";
import { createClickHouse, databaseOf } from "../common/clickhouse.ts";
import { createKafka } from "../common/kafka/client.ts";
import { filledViews } from "../common/kafka/follow.ts";
import { askPartitionEnds } from "../common/kafka/partition-ends.ts";
import { createPublisher } from "../common/kafka/publisher.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { createLogClock } from "../common/log-clock.ts";
import { createReadiness } from "../common/readiness.ts";
import { createRedis } from "../common/redis.ts";
import { createApi } from "./api.ts";
import type { ApiConfig } from "./config.ts";
import { createFeed } from "./feed/feed.ts";
import { createFindChronicles } from "./feed/find-chronicles.ts";
import { createFindPositions } from "./feed/find-positions.ts";
import { createGeofencesOfDetection } from "./feed/geofences-of-detection.ts";
import { createZonesOfDetection } from "./feed/zones-of-detection.ts";
import { createMutations } from "./fields/mutations/index.ts";
import { createHistoryComplete, createPositionGate } from "./read/await-position.ts";
import { followViews } from "./read/follow-views.ts";
import { querySettings } from "./read/history-client.ts";
import { createPositionSources, lastPositions } from "./read/position-sources.ts";
import { createViewsComplete } from "./read/views-complete.ts";
import { feedSettings } from "./subscriptions/config.ts";
import { createEventWriter } from "./write/publish.ts";
import { createTrackRouting } from "./write/track-routing.ts";

const WRITERS_CONNECTIONS = 4;

/** Connects to no store: the parts do so when they start. */
export async function assemble(config: ApiConfig, codec: Codec, log: Log): Promise<readonly Part[]> {
  const namespace = config.TRACKLOG_NAMESPACE;
  const kafka = createKafka("tracklog-api", config, log);
  const clickhouse = createClickHouse(config, databaseOf(config), querySettings(config));
  // Writers look up tracks and positions: they must not wait behind the questions of analysts.
  const forWriters = createClickHouse(config, databaseOf(config), querySettings(config), WRITERS_CONNECTIONS);
  const redis = createRedis(config.REDIS_URL, log);
  const publisher = createApiPublisher(kafka, config, log);
  const catalog = createCatalog();
  const zones = createZonesView();
  // Only the present ones are asked for.
  const geofences = createGeofences(0);
  const shared = { kafka, codec, namespace, groupPrefix: groupName(namespace, "api"), catalog, zones, geofences, log };
  const heartbeats = createHeartbeats();
  const views = followViews({ ...shared, heartbeats });

  const positions = createPositionSources({
    kafka,
    clickhouse: forWriters,
    redis: redis.client,
    namespace,
    zones,
    views,
  });
  const gate = createPositionGate(positions, config.API_POSITION_WAIT_MS);
  const { now } = Date;
  const clock = createLogClock();
  const bounds = eventBoundsOf(config);
  const maxMessageBytes = config.API_MAX_MESSAGE_BYTES;
  const writer = createEventWriter({
    publisher,
    codec,
    namespace,
    maxMessageBytes,
    lingerMs: config.API_LINGER_MS,
    maxFutureMs: bounds.maxFutureMs,
    clock,
    now,
  });
  const historyComplete = createHistoryComplete(gate, (topic) => lastPositions(kafka, namespace, topic));
  const viewsComplete = createViewsComplete({
    ends: (topic) => askPartitionEnds(kafka, topicName(namespace, topic), "readers"),
    viewed: views.nextOffset,
  });
  const routing = createTrackRouting({
    redis: redis.client,
    namespace,
    history: (ids) => tracksByIds(forWriters, ids),
    historyOf: (refs) => tracksOf(forWriters, refs),
    historyComplete: () => historyComplete("camera-log"),
    log,
    maxTracks: config.API_ROUTING_TRACKS,
    ttlSeconds: config.API_ROUTING_TTL_S,
  });
  const readiness = createReadiness(config.API_PROPAGATION_MS);
  const stored = { client: clickhouse, dataSourceIds: createDataSourceIds(catalog) };
  const feed = createFeed({
    ...shared,
    ...feedSettings(config),
    bounds,
    isViewed: views.reached,
    recordedNow: clock.now,
    zonesOf: createZonesOfDetection(zones),
    geofencesOf: createGeofencesOfDetection(geofences),
    knownTrack: routing.known,
    findTracks: routing.findOf,
    findTracksById: routing.find,
    findPositions: createFindPositions(gate, stored),
    findChronicles: createFindChronicles(gate, stored),
  });
  heartbeats.onNewer(({ deviceId, timestamp }) => {
    const device = catalog.get("device", deviceId);
    if (device !== undefined) feed.tell("catalog", heartbeatMessage(device, timestamp));
  });
  const api = await createApi({
    config,
    log,
    catalog,
    heartbeats,
    zones,
    history: stored,
    gate,
    writer,
    feed,
    resolvers: {
      Mutation: createMutations({
        ...{ writer, routing, bounds, clock, now, historyComplete, viewsComplete },
        maxImageBytes: config.API_MAX_IMAGE_BYTES,
        heartbeatMs: config.API_HEARTBEAT_MS,
        recordsReferringTo: async (kind, id) => {
          await historyComplete("chronicles");
          return chroniclesReferringTo(forWriters, kind, id);
        },
        maxGeofenceVertices: config.API_MAX_GEOFENCE_VERTICES,
      }),
    },
    isReady: readiness.isReady,
  });
  const history: Part = { name: "clickhouse", start: async () => {}, stop: () => closeAll([clickhouse, forWriters]) };

  // A half-filled catalog would refuse good tokens and data sources, which clients take as final.
  return [history, redis, publisher, views, filledViews([views]), api, readiness];
}

async function closeAll(clients: readonly ClickHouseClient[]): Promise<void> {
  for (const client of clients) await client.close();
}

function createApiPublisher(kafka: Kafka, config: ApiConfig, log: Log) {
  const namespace = config.TRACKLOG_NAMESPACE;
  return createPublisher({
    kafka,
    topics: topicsWrittenByApi.map((topic) => topicName(namespace, topic)),
    log,
    lingerMs: 0,
    maxBatchBytes: config.API_BATCH_BYTES,
    maxQueueBytes: config.API_QUEUE_BYTES,
    maxQueueMs: config.API_QUEUE_MS,
    timeoutMs: config.API_PUBLISH_TIMEOUT_MS,
  });
}
