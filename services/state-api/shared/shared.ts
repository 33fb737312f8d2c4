// Building blocks of the interface's areas. A store that no area uses is never connected.
import type { Kafka } from "kafkajs";
import { type Catalog, createCatalog } from "../../../projections/catalog/catalog.ts";
import { type Authenticate, createAuthenticate, letEverybodyIn } from "../../../projections/catalog/tokens.ts";
import { createZonesView, type ZonesView } from "../../../projections/catalog/zones-view.ts";
import { createZonesAsOf, type ZonesAsOf } from "../../../projections/snapshot/zones-as-of.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { LOG_ID } from "../../../schemas/headers.ts";
import { groupName, type Topic, topicName, topicsWrittenByStateApi } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { type Follower, filledViews } from "../../common/kafka/read/follow.ts";
import {
  type FollowRecordsOptions,
  followRecords,
  type RecordsFollower,
} from "../../common/kafka/read/follow-records.ts";
import { createPublisher, type Publisher } from "../../common/kafka/write/publisher.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import type { Assembling } from "../../common/process/service.ts";
import { type RedisClient, type RedisConfig, redisDatabase } from "../../common/redis/client.ts";
import { createRedisClient } from "../../common/redis/cluster.ts";
import type { Route } from "../http/route.ts";
import { createUpstream, type Upstream } from "../upstream/upstream.ts";
import type { StateApiConfig } from "./config.ts";

/**
 * One area of the interface: its endpoints, and the parts that they need. The parts are started before the first
 * request.
 */
export interface RestArea {
  readonly routes: readonly Route[];
  readonly parts?: readonly Part[];
}

type FollowedTopic = Exclude<Topic, "camera-log">;
type Apply<T extends FollowedTopic> = FollowRecordsOptions<T>["apply"];

export interface Shared {
  readonly config: StateApiConfig;
  readonly codec: Codec;
  readonly log: Log;
  readonly namespace: string;
  readonly kafka: Kafka;
  readonly catalog: Catalog;
  readonly zones: ZonesView;
  readonly zonesAsOf: ZonesAsOf;
  readonly authenticate: Authenticate;
  readonly upstream: Upstream;
  /** The state machine's live state. */
  readonly liveRedis: RedisClient;
  /**
   * Database 1 has subscriptions, event state and queues, 3 kept tracks, 4 replays. All callers of a database share one
   * connection.
   */
  redis(database: 1 | 3 | 4): RedisClient;
  /**
   * Keeps a view up to date. The server accepts requests only when the view has everything that the topic had at the
   * start.
   */
  follow<T extends FollowedTopic>(topic: T, apply: Apply<T>): RecordsFollower;
  /** Publisher for the topics that this process writes. */
  publisher(): Publisher;
}

const MAX_BATCH_BYTES = MIB;
const MAX_QUEUE_BYTES = 16 * MIB;
const PUBLISH_TIMEOUT_MS = 10_000;

/** `parts` returns the parts requested so far, in the order in which they start. */
export function createShared({ config, codec, log }: Assembling<StateApiConfig>): Shared & { parts(): Part[] } {
  const namespace = config.TRACKLOG_NAMESPACE;
  const kafka = createKafka("tracklog-state-api", config, log);
  const catalog = createCatalog();
  const zones = createZonesView();
  const zonesAsOf = createZonesAsOf();
  const upstream = createUpstream({ ...config, ownUrl: config.STATE_API_GRAPHQL_URL });
  const stores = new Map<string, Part & { readonly client: RedisClient }>();
  const followers: Follower[] = [];
  const publishers: Publisher[] = [];

  function connect(redis: RedisConfig): RedisClient {
    const store = stores.get(redis.REDIS_URL) ?? createRedisClient(redis, log);
    stores.set(redis.REDIS_URL, store);
    return store.client;
  }

  function follow<T extends FollowedTopic>(topic: T, apply: Apply<T>): RecordsFollower {
    const groupPrefix = groupName(namespace, "state-api");
    const follower = followRecords({ kafka, codec, namespace, groupPrefix, topic, apply, log });
    followers.push(follower);
    return follower;
  }

  follow("catalog", catalog.apply);
  follow("zones", zonesInto(zones, zonesAsOf));

  return {
    config,
    codec,
    log,
    namespace,
    kafka,
    catalog,
    zones,
    zonesAsOf,
    authenticate: config.STATE_API_AUTH === "on" ? createAuthenticate(catalog) : letEverybodyIn,
    upstream,
    get liveRedis() {
      return connect(config);
    },
    redis: (database) => connect(redisDatabase(config, database)),
    follow,
    publisher() {
      const publisher = publishers[0] ?? createStatePublisher(kafka, namespace, log);
      publishers[0] = publisher;
      return publisher;
    },
    parts: () => [
      upstream,
      ...stores.values(),
      ...publishers,
      ...followers,
      // A half-filled view would refuse good tokens.
      filledViews(followers),
    ],
  };
}

const zonesInto =
  (zones: ZonesView, zonesAsOf: ZonesAsOf): Apply<"zones"> =>
  ({ event }, _offset, { headers, timestamp }) => {
    const logId = headers?.[LOG_ID]?.toString();
    zones.apply(event, logId);
    zonesAsOf.apply(event, { logId, recordedAt: Number(timestamp) });
    return undefined;
  };

const createStatePublisher = (kafka: Kafka, namespace: string, log: Log): Publisher =>
  createPublisher({
    kafka,
    topics: topicsWrittenByStateApi.map((topic) => topicName(namespace, topic)),
    log,
    lingerMs: 0,
    maxBatchBytes: MAX_BATCH_BYTES,
    maxQueueBytes: MAX_QUEUE_BYTES,
    timeoutMs: PUBLISH_TIMEOUT_MS,
  });
