// Parts of replays, in the order in which they start.
import { createCatalog } from "../../projections/catalog/catalog.ts";
import { createGeofences } from "../../projections/live/partition.ts";
import type { RetrySettings } from "../../projections/webhooks/deliveries/outcome.ts";
import { signingSecretPlace } from "../../projections/webhooks/subscriptions/places.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import { replayKeys } from "../../schemas/redis-keys.ts";
import { groupName } from "../../schemas/topics.ts";
import { foldSettings } from "../common/fold-config.ts";
import { createKafka } from "../common/kafka/client.ts";
import { filledViews } from "../common/kafka/read/follow.ts";
import { followRecords } from "../common/kafka/read/follow-records.ts";
import { closingPart, type Part } from "../common/lifecycle.ts";
import { createOutbound } from "../common/outbound/client.ts";
import { createGuard } from "../common/outbound/guard.ts";
import type { Assembling } from "../common/process/service.ts";
import { createNotices, redisDatabase } from "../common/redis/client.ts";
import { createRedisClient } from "../common/redis/cluster.ts";
import { createRedisOf } from "../common/redis/key-connection.ts";
import { createSealer } from "../common/sealed.ts";
import { createRecorded } from "../recorded/recorded.ts";
import { createSendReplay } from "../recorded/send.ts";
import type { ReplayConfig } from "./config.ts";
import { createProcessorShare } from "./processor-share.ts";
import { createReplay } from "./replay.ts";
import { createReplayStore, type Keeping } from "./store.ts";

const DATABASE = 4;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

export function assembleReplay({ config, codec, log }: Assembling<ReplayConfig>): readonly Part[] {
  const namespace = config.TRACKLOG_NAMESPACE;
  const kafka = createKafka("tracklog-replay", config, log);
  const groupPrefix = groupName(namespace, "replay");
  const redisConfig = redisDatabase(config, DATABASE);
  const redis = createRedisClient(redisConfig, log);
  const catalog = createCatalog();
  const { apply } = catalog;
  const follower = followRecords({ kafka, codec, namespace, groupPrefix, log, topic: "catalog", apply });
  const outbound = createOutbound({
    guard: createGuard(config, "public"),
    allowSelfSigned: config.OUTBOUND_ALLOW_SELF_SIGNED,
  });
  const spent = () => performance.eventLoopUtilization();
  const throttle = createProcessorShare({ percent: config.REPLAY_LOAD_PERCENT, spent });
  const { makePlan, prepare, parts } = createRecorded({ config, codec, kafka, log, throttle });
  const replay = createReplay({
    store: createReplayStore(redis.client, namespace, keepingOf(config)),
    makePlan,
    prepare,
    settings: { ...foldSettings(config), geofences: createGeofences() },
    throttle,
    catalog,
    send: createSendReplay({ outbound, secretsOf: secretsWith(config), timeoutMs: config.REPLAY_TIMEOUT_MS }),
    retries: retriesOf(config),
    stopAfter: config.REPLAY_STOP_AFTER_FAILURES,
    idleMs: config.REPLAY_IDLE_MS,
    log,
    mostSessions: config.REPLAY_SESSIONS,
  });
  const channel = replayKeys(namespace).changed;
  const notices = createNotices(createRedisOf(channel, redisConfig, log), channel, replay.changed);
  const receivers = closingPart("connections to receivers", outbound.close);
  return [...parts, follower, filledViews([follower]), redis, receivers, replay, notices];
}

const keepingOf = (config: ReplayConfig): Keeping => ({
  forMs: config.REPLAY_KEEP_MS,
  most: config.REPLAY_KEEP_SESSIONS,
  mostBytes: config.REPLAY_KEEP_BYTES,
});

function secretsWith(config: ReplayConfig) {
  const sealer = createSealer(config);
  return ({ key, secrets }: SubscriptionSet): readonly string[] =>
    secrets.map(({ sealed }) => sealer.open(sealed, signingSecretPlace(key)));
}

const retriesOf = (config: ReplayConfig): RetrySettings => ({
  firstDelayMs: FIRST_RETRY_MS,
  longestDelayMs: LONGEST_RETRY_MS,
  keepMs: config.REPLAY_RETRY_FOR_MS,
});
