// Compares the stored positions with the present log, and forgets those that belong to another log.
import type { ClickHouseClient } from "@clickhouse/client";
import type { Admin, Kafka } from "kafkajs";
import { namedKinds } from "../../../projections/history/kinds.ts";
import {
  type PartitionPosition,
  projectedPositions,
  savePositions,
} from "../../../projections/history/queries/positions.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { groupName, topicName } from "../../../schemas/topics.ts";
import { topicIds } from "../../common/kafka/log-id.ts";
import { type OffsetRange, offsetRanges } from "../../common/kafka/offsets.ts";
import type { RedisClient } from "../../common/redis/client.ts";

export interface ReconcileDeps {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly redis: RedisClient;
  readonly clickhouse: ClickHouseClient;
  readonly namespace: string;
  readonly print: (line: string) => void;
}

interface Log {
  readonly topic: string;
  readonly id: string | undefined;
  readonly ranges: readonly OffsetRange[];
}

/**
 * Gap between the ranks of one log and those of the next: the history may hold rows of messages after the stored
 * position, and intersections whose causes the projector had not read yet.
 */
const RANK_GAP = 2 ** 32;

/** Resolves with true when nothing is left to forget; only `commit` changes anything. */
export async function reconcile(commit: boolean, deps: ReconcileDeps): Promise<boolean> {
  const { namespace, print } = deps;
  const kinds = [...namedKinds(namespace)];
  const logs = await Promise.all(kinds.map(([topic]) => describeLog(topic, deps)));
  const history = (await Promise.all(logs.map((log) => foreignHistory(log, deps)))).flat();
  const cameraLog = await describeLog(topicName(namespace, "camera-log"), deps);
  const live = await foreignLive(cameraLog, deps);
  for (const { topic, partition, next } of history) print(`history of ${topic}/${partition}: position ${next}`);
  for (const partition of live) print(`live state of ${cameraLog.topic}/${partition}`);
  if (history.length + live.length === 0) {
    print("Every position belongs to the log.");
    return true;
  }
  for (const [topic, { rankedBy }] of kinds) {
    const hasOutputs = logs.some((log) => log.topic === topic && log.ranges.some(({ high }) => high > 0));
    const isKept = rankedBy !== topic && isIn(rankedBy, history) && !isIn(topic, history);
    if (isKept && hasOutputs) print(outputsNote(topic, rankedBy));
  }
  if (!commit) {
    print("These do not belong to the log as it is now. Run again with --yes to forget them; the history is kept.");
    return false;
  }
  const busy = await busyGroups(deps);
  if (busy.length > 0) {
    print(`Nothing was changed: stop the services first. Consumer groups at work: ${busy.join(", ")}`);
    return false;
  }
  await forget(history, live, logs, deps);
  print("Forgotten. The services begin at the beginning of the log, and the history is kept.");
  return true;
}

async function describeLog(topic: string, { kafka, admin }: ReconcileDeps): Promise<Log> {
  const ids = await topicIds(kafka, [topic]);
  return { topic, id: ids.get(topic), ranges: await offsetRanges(admin, topic) };
}

/** A position without a log id, from older versions, belongs to the log if it lies within it. */
function isForeign({ id, ranges }: Log, partition: number, next: number, logId: string | undefined): boolean {
  return (logId !== undefined && logId !== id) || next > (ranges[partition]?.high ?? Number.POSITIVE_INFINITY);
}

async function foreignHistory(log: Log, { clickhouse }: ReconcileDeps): Promise<PartitionPosition[]> {
  const positions = await projectedPositions(clickhouse, log.topic);
  return [...positions]
    .filter(([partition, { next, logId }]) => isForeign(log, partition, next, logId))
    .map(([partition, position]) => ({ topic: log.topic, partition, ...position }));
}

async function foreignLive(log: Log, { redis, namespace }: ReconcileDeps): Promise<number[]> {
  const found: number[] = [];
  for (const { partition } of log.ranges) {
    const [next, logId] = await redis.hmget(partitionKeys(namespace, partition).position, "next", "logId");
    if (next != null && isForeign(log, partition, Number(next), logId ?? undefined)) found.push(partition);
  }
  return found;
}

const isIn = (topic: string, history: readonly PartitionPosition[]): boolean =>
  history.some((position) => position.topic === topic);

/** The zones topic stays: a new log has no other memory of the zones, and versions carry the id of their log. */
const outputsNote = (topic: string, rankedBy: string): string =>
  `${topic} is older than ${rankedBy}: in the history its intersections would outweigh those of the new log. ` +
  "Delete that topic, run npm run topics and then this command once more.";

/** Returns the consumer groups with running services, which would store their positions again. */
async function busyGroups({ admin, namespace }: ReconcileDeps): Promise<string[]> {
  const { groups } = await admin.describeGroups([
    groupName(namespace, "projector"),
    groupName(namespace, "state-machine"),
  ]);
  return groups.filter(({ members }) => members.length > 0).map(({ groupId }) => groupId);
}

/**
 * Forgets positions. Of live state only the position is deleted: without it, the state machine rebuilds the state from
 * the log.
 */
async function forget(
  history: readonly PartitionPosition[],
  live: readonly number[],
  logs: readonly Log[],
  { clickhouse, redis, namespace }: ReconcileDeps,
): Promise<void> {
  const idOf = new Map(logs.map(({ topic, id }) => [topic, id]));
  const anew = history.map(({ topic, partition, next, rankBase }) => {
    return { topic, partition, next: 0, logId: idOf.get(topic), rankBase: rankBase + next + RANK_GAP };
  });
  if (anew.length > 0) await savePositions(clickhouse, anew);
  for (const partition of live) await redis.del(partitionKeys(namespace, partition).position);
}
