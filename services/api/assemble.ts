// Parts of the API process, in the order in which they start.
import type { ClickHouseClient } from "@clickhouse/client";
import type { Kafka } from "kafkajs";
import { createCatalog } from "../../projections/catalog/catalog.ts";
import { createDataSourceIds } from "../../projections/catalog/data-source-ids.ts";
import { createHeartbeats } from "../../projections/catalog/heartbeats.ts";
import { createZonesView } from "../../projections/catalog/zones-view.ts";
import { heartbeatMessage } from "../../projections/feed/devices.ts";
import { chroniclesReferringTo } from "../../projections/history/chronicles/referrers.ts";
import type { History } from "../../projections/history/queries/records.ts";
import { tracksBefore, tracksByIds, tracksOf } from "../../projections/history/queries/tracks.ts";
import { createGeofences } from "../../projections/live/partition.ts";
import { eventBoundsOf } from "../../schemas/bounds.ts";
import type { CatalogKind } from "../../schemas/catalog/kinds.ts";
import type { Codec } from "../../schemas/codec.ts";
import { groupName, topicName, topicsWrittenByApi } from "../../schemas/topics.ts";
import { createClickHouse, databaseOf } from "../common/clickhouse.ts";
import { createKafka } from "../common/kafka/client.ts";
import { filledViews } from "../common/kafka/read/follow.ts";
import { askPartitionEnds } from "../common/kafka/read/partition-ends.ts";
import { createPublisher } from "../common/kafka/write/publisher.ts";
import { closingPart, type Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { createLogClock, type LogClock } from "../common/log-clock.ts";
import { createReadiness } from "../common/readiness.ts";
import { createRedisClient } from "../common/redis/cluster.ts";
import { createApi } from "./api.ts";
import type { ApiConfig } from "./config.ts";
import { createFeed, type Feed } from "./feed/feed.ts";
import { createFindChronicles } from "./feed/find-chronicles.ts";
import { createFindPositions } from "./feed/find-positions.ts";
import { createGeofencesOfDetection } from "./feed/geofences-of-detection.ts";
import { createZonesOfRecord } from "./feed/zones-of-detection.ts";
import { createMutations } from "./fields/mutations/index.ts";
import { createHistorySlots, createTokenLimits } from "./limits/token-limits.ts";
import { createHistoryComplete, createPositionGate, type PositionGate } from "./read/await-position.ts";
import { followViews } from "./read/follow-views.ts";
import { forSubscriptions, querySettings } from "./read/history-client.ts";
import { createPastZones } from "./read/past-zones.ts";
import { createPositionSources, lastPositions } from "./read/position-sources.ts";
import { createViewsComplete } from "./read/views-complete.ts";
import { feedSettings } from "./subscriptions/config.ts";
import { assembleSystem } from "./system/assemble.ts";
import { createEventWriter, type EventWriter } from "./write/publish.ts";
import { createTrackRouting, type TrackRouting } from "./write/track-routing.ts";

const WRITERS_CONNECTIONS = 4;

/** Connects to no store: the parts do so when they start. */
export async function assembleApi(config: ApiConfig, codec: Codec, log: Log): Promise<readonly Part[]> {
  const stores = createStores(config, log);
  const base = {
    config,
    codec,
    log,
    stores,
    clock: createLogClock(),
    ...createViews(stores.kafka, config, codec, log),
  };
  const { catalog, heartbeats, zones, views } = base;
  const gate = createGate(base);
  const { kafka, clickhouse, forWriters, redis, publisher } = stores;
  const historyComplete = createHistoryComplete(gate, (topic) =>
    lastPositions(kafka, config.TRACKLOG_NAMESPACE, topic),
  );
  const routing = createRouting(base, historyComplete);
  const tokenLimits = createTokenLimits(config, log);
  const slots = createHistorySlots(config, tokenLimits);
  const history = { client: clickhouse, dataSourceIds: createDataSourceIds(catalog) };
  const ofFeed = { ...history, client: forSubscriptions(clickhouse, slots) };
  const feed = createApiFeed(base, { gate, routing, history: ofFeed });
  const writer = createWriter(base);
  const readiness = createReadiness(config.API_PROPAGATION_MS);
  const pastZones = createPastZonesOf(base);
  const operators = createSystemOf(base);
  const api = await createApi({
    config,
    log,
    catalog,
    heartbeats,
    zones,
    zonesAt: pastZones.zonesAt,
    history,
    tokenLimits,
    slots,
    system: operators.system,
    gate,
    writer,
    feed,
    resolvers: { Mutation: createMutations(mutationDeps(base, { writer, routing, historyComplete })) },
    isReady: readiness.isReady,
  });
  const connections = closingPart("clickhouse", () => closeAll([clickhouse, forWriters]));

  // `filledViews` precedes `api`: with a half-filled catalog the API would refuse valid tokens and data sources, and
  // clients take such a refusal as final.
  return [
    connections,
    redis,
    publisher,
    ...pastZones.parts,
    operators.part,
    views,
    filledViews([views]),
    api,
    readiness,
  ];
}

function createStores(config: ApiConfig, log: Log) {
  const kafka = createKafka("tracklog-api", config, log);
  return {
    kafka,
    clickhouse: createClickHouse(config, databaseOf(config), querySettings(config), config.API_HISTORY_QUERIES),
    // Mutations look up tracks and positions with a client of their own, so that they do not wait for the queries of
    // analysts.
    forWriters: createClickHouse(config, databaseOf(config), querySettings(config), WRITERS_CONNECTIONS),
    redis: createRedisClient(config, log),
    publisher: createApiPublisher(kafka, config, log),
  };
}

type ApiStores = ReturnType<typeof createStores>;

/** The state of the log that this instance keeps in memory. */
function createViews(kafka: Kafka, config: ApiConfig, codec: Codec, log: Log) {
  const namespace = config.TRACKLOG_NAMESPACE;
  const groupPrefix = groupName(namespace, "api");
  const catalog = createCatalog();
  const zones = createZonesView();
  // No past versions are kept, because only the present geofences are needed.
  const geofences = createGeofences(0);
  const heartbeats = createHeartbeats();
  const views = followViews({ kafka, codec, namespace, groupPrefix, catalog, zones, geofences, log, heartbeats });
  return { groupPrefix, catalog, zones, geofences, heartbeats, views };
}

interface ApiBase extends ReturnType<typeof createViews> {
  readonly config: ApiConfig;
  readonly codec: Codec;
  readonly log: Log;
  readonly stores: ApiStores;
  readonly clock: LogClock;
}

function createGate({ config, stores, zones, views }: ApiBase): PositionGate {
  const { kafka, forWriters, redis } = stores;
  const namespace = config.TRACKLOG_NAMESPACE;
  const sources = { kafka, clickhouse: forWriters, redis: redis.client, namespace, zones, views };
  return createPositionGate(createPositionSources(sources), config.API_POSITION_WAIT_MS);
}

type HistoryComplete = ReturnType<typeof createHistoryComplete>;

function createRouting({ config, log, stores }: ApiBase, historyComplete: HistoryComplete): TrackRouting {
  const { forWriters, redis } = stores;
  return createTrackRouting({
    redis: redis.client,
    namespace: config.TRACKLOG_NAMESPACE,
    history: (ids) => tracksByIds(forWriters, ids),
    historyOf: (refs) => tracksOf(forWriters, refs),
    historyComplete: () => historyComplete("camera-log"),
    log,
    maxTracks: config.API_ROUTING_TRACKS,
    ttlSeconds: config.API_ROUTING_TTL_S,
  });
}

interface FeedSources {
  readonly gate: PositionGate;
  readonly routing: TrackRouting;
  readonly history: History;
}

function createApiFeed(base: ApiBase, { gate, routing, history }: FeedSources): Feed {
  const { config, codec, log, stores, clock, groupPrefix, catalog, zones, geofences, heartbeats, views } = base;
  const feed = createFeed({
    codec,
    log,
    groupPrefix,
    catalog,
    ...feedSettings(config),
    kafka: stores.kafka,
    namespace: config.TRACKLOG_NAMESPACE,
    bounds: eventBoundsOf(config),
    isViewed: views.reached,
    recordedNow: clock.now,
    zonesOf: createZonesOfRecord(zones),
    geofencesOf: createGeofencesOfDetection(geofences),
    knownTrack: routing.known,
    findTracks: routing.findOf,
    findTracksBefore: (refs) => tracksBefore(stores.forWriters, refs),
    findTracksById: routing.find,
    findPositions: createFindPositions(gate, history),
    findChronicles: createFindChronicles(gate, history),
  });
  heartbeats.onNewer(({ deviceId, timestamp }) => {
    const device = catalog.get("device", deviceId);
    if (device !== undefined) feed.announce("catalog", heartbeatMessage(device, timestamp));
  });
  return feed;
}

const createPastZonesOf = ({ config, codec, log, stores: { kafka } }: ApiBase) =>
  createPastZones({
    kafka,
    codec,
    log,
    namespace: config.TRACKLOG_NAMESPACE,
    most: config.API_PAST_QUERIES,
    limitMs: config.API_QUERY_MS,
  });

const createSystemOf = ({ config, codec, log, groupPrefix, stores: { kafka, forWriters, redis } }: ApiBase) =>
  assembleSystem({
    namespace: config.TRACKLOG_NAMESPACE,
    kafka,
    codec,
    clickhouse: forWriters,
    redis: redis.client,
    groupPrefix,
    log,
  });

function createWriter({ config, codec, stores, clock }: ApiBase): EventWriter {
  return createEventWriter({
    publisher: stores.publisher,
    codec,
    namespace: config.TRACKLOG_NAMESPACE,
    maxMessageBytes: config.API_MAX_MESSAGE_BYTES,
    lingerMs: config.API_LINGER_MS,
    maxFutureMs: eventBoundsOf(config).maxFutureMs,
    clock,
    now: Date.now,
  });
}

interface Writing {
  readonly writer: EventWriter;
  readonly routing: TrackRouting;
  readonly historyComplete: HistoryComplete;
}

function mutationDeps({ config, stores, clock, views }: ApiBase, writing: Writing) {
  const { kafka, forWriters } = stores;
  return {
    ...writing,
    bounds: eventBoundsOf(config),
    clock,
    now: Date.now,
    viewsComplete: createViewsComplete({
      ends: (topic) => askPartitionEnds(kafka, topicName(config.TRACKLOG_NAMESPACE, topic), "readers"),
      viewed: views.nextOffset,
    }),
    maxImageBytes: config.API_MAX_IMAGE_BYTES,
    heartbeatMs: config.API_HEARTBEAT_MS,
    recordsReferringTo: async (kind: CatalogKind, id: string) => {
      await writing.historyComplete("chronicles");
      return chroniclesReferringTo(forWriters, kind, id);
    },
    maxGeofenceVertices: config.API_MAX_GEOFENCE_VERTICES,
  };
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
