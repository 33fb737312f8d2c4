// Reads the position of a store again and again. A mutation counts as arrived when the answer to a read has arrived, so
// the time between two reads and the read itself are part of the figures.

import { projectedUpTo } from "../../../projections/history/queries/positions.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { topicName } from "../../../schemas/topics.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createRedis, type RedisClient } from "../../../services/common/redis/client.ts";
import type { System } from "../../support/running/launch-system.ts";
import { until } from "../../support/running/processes.ts";
import { log } from "../camera-log.ts";

export interface Observer {
  /** acknowledgedAt: performance.now(). */
  expect(position: LogPosition, acknowledgedAt: number): void;
  /** Resolves when everything expected has been seen. */
  done(): Promise<void>;
}

const REDIS_EVERY_MS = 5;
const HISTORY_EVERY_MS = 25;
const PARTITIONS = 12;

/** The state machine writes the whole live state of a partition in one step with its position. */
export async function observeLiveState(
  { env, namespace }: Pick<System, "env" | "namespace">,
  onSeen: (ms: number) => void,
): Promise<Observer> {
  const redis = createRedis(loadConfig(redisEnv, env), log);
  await redis.start();
  const check = () => foldedUpTo(redis.client, namespace, PARTITIONS);
  return observe(check, REDIS_EVERY_MS, onSeen, () => redis.stop());
}

/** Resolves with the offset that the state machine reads next, by partition. */
export async function foldedUpTo(redis: RedisClient, namespace: string, partitions: number) {
  const pipeline = redis.pipeline();
  for (let p = 0; p < partitions; p++) pipeline.hget(partitionKeys(namespace, p).position, "next");
  const answers = (await pipeline.exec()) ?? [];
  return new Map(answers.map(([, next], partition) => [partition, Number(next ?? 0)]));
}

/** The projector stores its position when readers can see the rows before it. */
export function observeHistory({ env, namespace }: System, onSeen: (ms: number) => void): Observer {
  const client = createClickHouse(loadConfig(clickhouseEnv, env));
  const topic = topicName(namespace, "camera-log");
  return observe(
    () => projectedUpTo(client, topic),
    HISTORY_EVERY_MS,
    onSeen,
    () => client.close(),
  );
}

interface Expected extends LogPosition {
  readonly at: number;
}

function observe(
  check: () => Promise<ReadonlyMap<number, number>>,
  everyMs: number,
  onSeen: (ms: number) => void,
  close: () => Promise<void>,
): Observer {
  let expected: Expected[] = [];
  let running = true;

  async function work(): Promise<void> {
    while (running) {
      const next = await check();
      const now = performance.now();
      const isThere = ({ partition, offset }: Expected) => (next.get(partition) ?? 0) > offset;
      for (const each of expected) if (isThere(each)) onSeen(Math.max(0, now - each.at));
      expected = expected.filter((each) => !isThere(each));
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  const loop = work();
  return {
    expect: (position, at) => expected.push({ ...position, at }),
    async done() {
      await until(() => expected.length === 0);
      running = false;
      await loop;
      await close();
    },
  };
}
