// Reads the stores of a system for a test: the topics, Redis and ClickHouse.
import type { ClickHouseClient } from "@clickhouse/client";
import type { ZoneIntersectionChanged } from "../../../schemas/events.ts";
import { alignedTopics } from "../../../schemas/outputs.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { type Topic, topicName, topics } from "../../../schemas/topics.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, kafkaEnv, loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { keepHeaders } from "../../../services/common/kafka/internals/decode-record.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { type ReadMessage, readAll } from "../../../services/common/kafka/read/read-some.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedisClient } from "../../../services/common/redis/cluster.ts";
import type { System } from "../running/launch-system.ts";
import { until } from "../running/processes.ts";
import { sharedCodec } from "../running/shared-codec.ts";

export type Inspector = Awaited<ReturnType<typeof openInspector>>;

keepHeaders(["ce_id", "ce_source"]);

const STATE_MACHINE = "tracklog/state-machine";

/** Holds connections until it is closed. */
export async function openInspector({ env, namespace }: Pick<System, "env" | "namespace">) {
  const partitions = Number(env["CAMERA_PARTITIONS"] ?? topics["camera-log"].partitions);
  const log = createLog("test", "silent");
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), log);
  const admin = kafka.admin();
  const redis = createRedisClient(loadConfig(redisEnv, env), log);
  const clickhouse = createClickHouse(loadConfig(clickhouseEnv, env));
  const [codec] = await Promise.all([sharedCodec(env), admin.connect(), redis.start()]);

  const read = (topic: Topic): Promise<ReadMessage[]> =>
    readAll({ kafka, groupPrefix: `${namespace}.inspector`, topic: topicName(namespace, topic), log });
  const ends = async (topic: Topic) =>
    (await offsetRanges(admin, topicName(namespace, topic))).filter(({ high }) => high > 0);

  /** How many messages of each partition the state machine has not read yet, by its name. */
  async function machineLag(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const { partition, high } of await ends("camera-log")) {
      const next = await redis.client.hget(partitionKeys(namespace, partition).position, "next");
      found.set(`state-machine ${partition}`, high - Number(next));
    }
    return found;
  }

  /** The same of the projector, by topic and partition. */
  async function projectorLag(): Promise<Map<string, number>> {
    const projected = await projectedOffsets(clickhouse);
    const found = new Map<string, number>();
    for (const topic of ["camera-log", ...alignedTopics] as const) {
      for (const { partition, high } of await ends(topic)) {
        const next = projected.get(`${topicName(namespace, topic)}/${partition}`) ?? 0;
        found.set(`projector ${topic}/${partition}`, high - next);
      }
    }
    return found;
  }

  /**
   * The readers that have not reached the end of their topics. The state machine comes first: it writes what the
   * projector reads, and a question to Redis costs a tenth of one to ClickHouse.
   */
  async function behind(): Promise<string[]> {
    const machines = lateOf(await machineLag());
    return machines.length > 0 ? machines : lateOf(await projectorLag());
  }

  async function liveTracks(): Promise<number> {
    const keys = Array.from({ length: partitions }, (_, partition) => partitionKeys(namespace, partition).tracks);
    const tracks = (await Promise.all(keys.map((key) => redis.client.hvals(key)))).flat();
    return tracks.filter((json) => json.includes('"phase":"live"')).length;
  }

  return {
    namespace,
    /** Partitions of the topics with a key. */
    partitions,
    codec,
    kafka,
    clickhouse,
    redis: redis.client,
    /** Empties the only server of a single Redis. */
    flush: () => redis.client.call("flushall"),
    read,
    /** How many messages each reader of a topic's partition has not read yet, by its name. */
    lag: async () => new Map([...(await projectorLag()), ...(await machineLag())]),

    async close(): Promise<void> {
      await Promise.all([admin.disconnect(), redis.stop(), clickhouse.close()]);
    },

    /**
     * Resolves with the catalog's offset up to which each partition knows the geofences. Partitions without live
     * state are left out.
     */
    async geofencesUpTo(): Promise<number[]> {
      const positions = Array.from(
        { length: partitions },
        (_, partition) => partitionKeys(namespace, partition).position,
      );
      const known = await Promise.all(positions.map((key) => redis.client.hget(key, "geofences")));
      return known.flatMap((upTo) => (upTo === null ? [] : [Number(upTo)]));
    },

    /** `topic id` of every message that the state machine wrote. */
    async outputIds(): Promise<string[]> {
      const topics = ["camera-log", "zones", ...alignedTopics] as const;
      const found = await Promise.all(
        topics.map(async (topic) => (await read(topic)).map((each) => ({ topic, ...each }))),
      );
      return found.flat().flatMap(({ topic, message: { headers } }) => {
        const isOutput = String(headers?.["ce_source"]) === STATE_MACHINE;
        return isOutput ? [`${topic} ${String(headers?.["ce_id"])}`] : [];
      });
    },

    /** zone-intersections in log order per partition. */
    async changes(): Promise<ZoneIntersectionChanged[]> {
      return (await read("zone-intersections")).flatMap(({ message }) => {
        const decoded = codec.decode(message.value);
        return decoded.ok && decoded.type === "ZoneIntersectionChanged" ? [decoded.event] : [];
      });
    },

    /** Waits until everything in the log has taken effect everywhere. */
    caughtUp: (timeoutMs = 60_000) =>
      until(
        async () => {
          refuseLate(await behind());
          return true;
        },
        { timeoutMs, pauseMs: 200 },
      ),

    /** Waits for caughtUp and for the end of every track: the last tracks expire by the wall clock. */
    settled: (timeoutMs = 60_000) =>
      until(
        async () => {
          refuseLate(lateOf(await machineLag()));
          const live = await liveTracks();
          if (live > 0) throw new Error(`${live} tracks are live`);
          // The last expiry may have been written in between.
          refuseLate(await behind());
          return true;
        },
        { timeoutMs, pauseMs: 200 },
      ),
  };
}

const lateOf = (lag: ReadonlyMap<string, number>): string[] =>
  [...lag].flatMap(([reader, messages]) => (messages > 0 ? [reader] : []));

function refuseLate(readers: readonly string[]): void {
  if (readers.length > 0) throw new Error(`behind: ${readers.join(", ")}`);
}

/** Resolves with the offset of the next message to project, by `topic/partition`: one question for all topics. */
async function projectedOffsets(clickhouse: ClickHouseClient): Promise<Map<string, number>> {
  const result = await clickhouse.query({
    query: `SELECT topic, partition, max((rank_base, next_offset)).2 AS next FROM projector_positions_v1
      GROUP BY topic, partition`,
    format: "JSONEachRow",
  });
  const rows = await result.json<{ topic: string; partition: number; next: string }>();
  return new Map(rows.map(({ topic, partition, next }) => [`${topic}/${partition}`, Number(next)]));
}
