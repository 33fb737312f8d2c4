import type { Redis } from "ioredis";
import { afterAll, beforeAll } from "vitest";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis, redisDatabase } from "../../../services/common/redis/client.ts";
import { useStack } from "./stack.ts";

interface FileRedis {
  readonly client: Redis;
  /** All its keys are removed when the tests of the file are over. */
  readonly namespace: string;
}

/** A connection to the database with this number and a separate namespace, for one file of tests. */
export function useRedis(name: string, database: number): FileRedis {
  const { env, uniqueName } = useStack();
  const namespace = uniqueName(name);
  const { client, start, stop } = createRedis(
    redisDatabase(loadConfig(redisEnv, env), database),
    createLog("test", "silent"),
  );
  beforeAll(start);
  afterAll(async () => {
    const left = await client.keys(`${namespace}*`);
    if (left.length > 0) await client.unlink(left);
    await stop();
  });
  return { client, namespace };
}
