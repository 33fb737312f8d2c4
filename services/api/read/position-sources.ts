// Positions of all readers: the projector's in ClickHouse, the state machine's in Redis, the views' in memory, and the
// log's own ends.

import type { Kafka } from "kafkajs";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import { projectedUpTo } from "../../../projections/history/queries/positions.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { type AlignedTopic, alignedFields, alignedTopics, perAligned } from "../../../schemas/outputs.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { type Topic, topicName } from "../../../schemas/topics.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { askPartitionEnds } from "../../common/kafka/read/partition-ends.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import type { Applied, PositionSources } from "./await-position.ts";
import { createPositionCheck } from "./check-positions.ts";
import type { ViewsFollower } from "./follow-views.ts";

export interface PositionStores {
  readonly kafka: Kafka;
  readonly clickhouse: Parameters<typeof projectedUpTo>[0];
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly zones: ZonesView;
  readonly views: ViewsFollower;
}

export function createPositionSources({
  kafka,
  clickhouse,
  redis,
  namespace,
  zones,
  views,
}: PositionStores): PositionSources {
  const topic = (name: Topic) => topicName(namespace, name);
  return {
    projected: (name) => projectedUpTo(clickhouse, topic(name)),
    applied: (partitions) => readApplied(redis, namespace, partitions),
    viewed: views.nextOffset,
    hasSeenZone: zones.hasSeen,
    zonesEnd: async () => (await endsOf(kafka, topic("zones"))).get(0) ?? 0,
    check: createPositionCheck((name) => askPartitionEnds(kafka, topic(name), "writers")),
  };
}

/** Resolves with the position of the last message in each partition of a topic. */
export async function lastPositions(kafka: Kafka, namespace: string, topic: Topic): Promise<LogPosition[]> {
  const ends = await endsOf(kafka, topicName(namespace, topic));
  return [...ends].flatMap(([partition, high]) => (high > 0 ? [{ topic, partition, offset: high - 1 }] : []));
}

/** Opens a connection per call, because calls are rare. */
async function endsOf(kafka: Kafka, name: string): Promise<ReadonlyMap<number, number>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ranges = await offsetRanges(admin, name);
    return new Map(ranges.map(({ partition, high }) => [partition, high]));
  } finally {
    await admin.disconnect();
  }
}

const END_FIELDS = alignedTopics.map((topic) => alignedFields[topic].end);

/** Resolves with the state machine's position, by partition; a partition without any applied event is absent. */
async function readApplied(
  redis: RedisClient,
  namespace: string,
  partitions: readonly number[],
): Promise<ReadonlyMap<number, Applied>> {
  const applied = new Map<number, Applied>();
  await Promise.all(
    partitions.map(async (partition) => {
      const { position } = partitionKeys(namespace, partition);
      const [next, ...ends] = await redis.hmget(position, "next", ...END_FIELDS);
      if (next == null) return;
      const endOf = (topic: AlignedTopic) => Number(ends[alignedTopics.indexOf(topic)] ?? 0);
      applied.set(partition, { next: Number(next), ends: perAligned(endOf) });
    }),
  );
  return applied;
}
