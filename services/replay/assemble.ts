// The parts of replays, in the order in which they start.
import type { Admin } from "kafkajs";
import { createCatalog } from "../../projections/catalog/catalog.ts";
import type { Asked } from "../../projections/history/queries/run.ts";
import { createGeofences } from "../../projections/live/partition.ts";
import { eventBoundsOf } from "../../schemas/bounds.ts";
import { replayKeys } from "../../schemas/redis-keys.ts";
import { groupName, topicName } from "../../schemas/topics.ts";
import { createClickHouse, databaseOf } from "../common/clickhouse.ts";
import { foldSettings } from "../common/fold-config.ts";
import { followRecords } from "../common/follow-records.ts";
import { createKafka } from "../common/kafka/client.ts";
import { createLogFetcher, type LogFetcher } from "../common/kafka/fetch-log.ts";
import { filledViews } from "../common/kafka/follow.ts";
import { topicIds } from "../common/kafka/log-id.ts";
import { offsetRanges } from "../common/kafka/offsets.ts";
import type { Part } from "../common/lifecycle.ts";
import { createOutbound } from "../common/outbound/client.ts";
import { createGuard } from "../common/outbound/guard.ts";
import { createRedis, type RedisPart, redisDatabase } from "../common/redis.ts";
import { createSealer } from "../common/sealed.ts";
import type { Assembling } from "../common/service.ts";
import { shareCalls } from "../common/share-calls.ts";
import { createTurns } from "../common/turns.ts";
import type { ReplayConfig } from "./config.ts";
import { createHistoryRoom } from "./history-room.ts";
import { createLeaveRoom } from "./leave-room.ts";
import { makePlan } from "./make-plan.ts";
import type { ReadDeps } from "./read-segment.ts";
import { createReplay } from "./replay.ts";
import { createSend } from "./send.ts";
import { createReplayStore } from "./store.ts";

const DATABASE = 4;
/** Every session that waits holds as much. */
const FETCH_BYTES = 256 * 1024;
/** What all sessions together hold of the history. */
const HISTORY_BYTES = 128 * 1024 * 1024;
/** The client waits for 30 s: the store itself must have given a query up by then, or it would go on for nobody. */
const QUERY_S = 20;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

export function assemble({ config, codec, log }: Assembling<ReplayConfig>): readonly Part[] {
  const namespace = config.TRACKLOG_NAMESPACE;
  const topic = topicName(namespace, "camera-log");
  const kafka = createKafka("tracklog-replay", config, log);
  const groupPrefix = groupName(namespace, "replay");
  const redisUrl = redisDatabase(config.REDIS_URL, DATABASE);
  const redis = createRedis(redisUrl, log);
  const gate = createTurns(config.REPLAY_READS).run;
  const clickhouse = createClickHouse(config, databaseOf(config), { max_execution_time: QUERY_S });
  const history: Asked = { query: (params) => gate(() => clickhouse.query(params)) };
  const admin = kafka.admin();
  const logFetcher = createLogFetcher(kafka, FETCH_BYTES);
  const fetcher: Pick<LogFetcher, "fetch"> = { fetch: (id, offset) => gate(() => logFetcher.fetch(id, offset)) };
  const catalog = createCatalog();
  const zonesTopic = topicName(namespace, "zones");
  const follower = followRecords({
    ...{ kafka, codec, namespace, groupPrefix, log },
    ...{ topic: "catalog", apply: catalog.apply },
  });
  const outbound = createOutbound({
    guard: createGuard(config, "public"),
    allowSelfSigned: config.OUTBOUND_ALLOW_SELF_SIGNED,
  });
  const settings = { ...foldSettings(config), geofences: createGeofences() };
  const spent = () => performance.eventLoopUtilization();
  const leaveRoom = createLeaveRoom({ percent: config.REPLAY_LOAD_PERCENT, spent });
  const { trackTtlMs } = settings;
  const warmUpMs = config.REPLAY_WARM_UP_MS;
  const historyRoom = createHistoryRoom(HISTORY_BYTES);

  /** Sessions that begin at the same time share it. */
  const present = shareCalls(async () => {
    // The zones first: their versions are of messages that the camera-log had before them.
    const [{ low: begin, high: end } = { low: 0, high: 0 }] = await offsetRanges(admin, zonesTopic);
    const highs = (await offsetRanges(admin, topic)).map(({ high }) => high);
    const logId = (await topicIds(kafka, [topic])).get(topic) ?? "";
    return { zones: { topic: zonesTopic, partition: 0, begin, end }, highs, logId };
  });

  const prepare = async (signal: AbortSignal): Promise<Omit<ReadDeps, "settings">> => ({
    ...(await present()),
    ...{ fetcher, codec, topic, bounds: eventBoundsOf(config), log, signal },
    ...{ history, historyRoom, trackTtlMs, warmUpMs, leaveRoom },
  });

  const keeping = {
    forMs: config.REPLAY_KEEP_MS,
    most: config.REPLAY_KEEP_SESSIONS,
    mostBytes: config.REPLAY_KEEP_BYTES,
  };
  const replay = createReplay({
    store: createReplayStore(redis.client, namespace, keeping),
    makePlan: (trackIds, signal) =>
      makePlan(trackIds, { history, admin, fetcher, topic, trackTtlMs, warmUpMs, signal }),
    prepare,
    settings,
    leaveRoom,
    catalog,
    send: createSend({ outbound, sealer: createSealer(config), timeoutMs: config.REPLAY_TIMEOUT_MS }),
    retries: {
      firstDelayMs: FIRST_RETRY_MS,
      longestDelayMs: LONGEST_RETRY_MS,
      keepMs: config.REPLAY_RETRY_FOR_MS,
    },
    stopAfter: config.REPLAY_STOP_AFTER_FAILURES,
    idleMs: config.REPLAY_IDLE_MS,
    log,
    mostSessions: config.REPLAY_SESSIONS,
  });
  const notices = createNotices(createRedis(redisUrl, log), replayKeys(namespace).changed, replay.changed);
  return [
    ...[connected(admin), logFetcher, follower, filledViews([follower]), redis],
    closing("connections to receivers", async () => outbound.close()),
    closing("history", () => clickhouse.close()),
    ...[replay, notices],
  ];
}

const connected = (admin: Admin): Part => ({ name: "admin", start: admin.connect, stop: admin.disconnect });

const closing = (name: string, stop: () => Promise<void>): Part => ({ name, start: async () => {}, stop });

/** A connection that waits for notices can do nothing else. */
const createNotices = (redis: RedisPart, channel: string, changed: (id: string) => void): Part => ({
  ...redis,
  name: "notices",
  async start() {
    redis.client.on("message", (_channel, id) => changed(id));
    await redis.start();
    await redis.client.subscribe(channel);
  },
});
