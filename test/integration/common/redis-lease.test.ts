import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis, type RedisPart } from "../../../services/common/redis/client.ts";
import { withLease } from "../../../services/common/redis/lease.ts";
import { useStack } from "../../support/running/stack.ts";

const { env, uniqueName } = useStack();
const connections: RedisPart[] = [];
const key = (): string => uniqueName("lease");

beforeAll(async () => {
  const config = loadConfig(redisEnv, env);
  for (let i = 0; i < 3; i++) connections.push(createRedis(config, createLog("test", "silent")));
  for (const connection of connections) await connection.start();
});

afterAll(async () => {
  for (const connection of connections) await connection.stop();
});

const clientOf = (worker: number) => {
  const connection = connections[worker % connections.length];
  if (connection === undefined) throw new Error("no connection");
  return connection.client;
};

test("one worker at a time has the lease, and each gets it", async () => {
  const name = key();
  let working = 0;
  const seen: number[] = [];

  const workers = Array.from({ length: 30 }, (_, worker) =>
    withLease(clientOf(worker), name, async ({ isHeld }) => {
      working += 1;
      await clientOf(worker).ping();
      seen.push(working);
      working -= 1;
      return isHeld();
    }),
  );

  expect(await Promise.all(workers)).toEqual(workers.map(() => true));
  expect(seen).toEqual(workers.map(() => 1));
});

test("a worker that fails gives the lease back", async () => {
  const name = key();

  await expect(withLease(clientOf(0), name, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");

  expect(await clientOf(1).exists(name)).toBe(0);
});

test("a lease that is kept ends by itself, and its worker holds it no longer", async () => {
  const name = key();

  const lease = await withLease(clientOf(0), name, async (given) => {
    given.keep();
    return given;
  });

  expect(lease.isHeld()).toBe(false);
  expect(await clientOf(1).pttl(name)).toBeGreaterThan(0);
});

test("the lease of another worker is not given back", async () => {
  const name = key();

  await withLease(clientOf(0), name, async () => {
    // The lease ends, and another worker takes it.
    await clientOf(1).set(name, "another's");
  });

  expect(await clientOf(1).get(name)).toBe("another's");
  await clientOf(1).del(name);
});
