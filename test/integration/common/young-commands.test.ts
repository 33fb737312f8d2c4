// V8 must free the commands of a Redis client with the young objects.
import { expect, test } from "vitest";
import { z } from "zod";
import { redisScript } from "../../../services/common/redis/script.ts";
import { keptBy } from "../../support/running/kept-by.ts";
import { useRedis } from "../../support/running/redis.ts";

const { client: redis, namespace } = useRedis("young", 1);
const COMMANDS = 2_000;
const key = `${namespace}:{young}`;
const value = "x".repeat(1_000);

const readField = redisScript(new URL("scripts/read-field.lua", import.meta.url), {
  keys: ["hash"],
  arguments: ["field"],
  reply: z.string(),
});

test.each([
  ["commands", () => redis.hget(key, "field")],
  ["scripts", () => readField(redis, { hash: key, field: "field" })],
])("%s are freed with the young objects when they are done", async (_name, send) => {
  await redis.hset(key, { field: value });

  const kept = await keptBy(async () => {
    for (let at = 0; at < COMMANDS; at++) expect(await send()).toBe(value);
  });

  expect(kept).toBeLessThan((COMMANDS * value.length) / 4);
});
