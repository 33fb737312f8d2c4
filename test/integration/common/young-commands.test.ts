// What V8 keeps of the commands of a Redis client.
import { expect, onTestFinished, test } from "vitest";
import { defineScript } from "../../../services/common/redis-script.ts";
import { keptBy } from "../../support/kept-by.ts";
import { useRedis } from "../../support/redis.ts";

const { client: redis, namespace } = useRedis("young", 1);
const COMMANDS = 2_000;
const key = `${namespace}:{young}`;
const value = "x".repeat(1_000);

const echo = defineScript<string>(redis, 1, "return redis.call('HGET', KEYS[1], ARGV[1])");

test.each([
  ["commands", () => redis.hget(key, "field")],
  ["scripts", () => echo(key, "field")],
])("%s are freed with the young objects when they are done", async (_name, send) => {
  await redis.hset(key, { field: value });

  const kept = await keptBy(async () => {
    for (let at = 0; at < COMMANDS; at++) expect(await send()).toBe(value);
  });

  expect(kept).toBeLessThan((COMMANDS * value.length) / 4);
});

test("a script whose text the server has forgotten is sent again", async () => {
  await redis.hset(key, { field: value });
  await echo(key, "field");
  await redis.script("FLUSH");

  expect(await echo(key, "field")).toBe(value);
  expect(await Promise.all([echo(key, "field"), echo(key, ["field"])])).toEqual([value, value]);
});

test("a script whose server has lost it meanwhile is sent again over the next connection", async () => {
  const client = redis.duplicate({ lazyConnect: true });
  onTestFinished(() => client.disconnect());
  const script = defineScript<string>(client, 1, "return redis.call('HGET', KEYS[1], ARGV[1])");
  await redis.hset(key, { field: value });

  expect(await script(key, "field")).toBe(value);
  await redis.script("FLUSH");
  client.disconnect(true);

  expect(await Promise.all([script(key, "field"), script(key, "field")])).toEqual([value, value]);
});

test("an error of a script rejects", async () => {
  const failing = defineScript(redis, 0, "return redis.error_reply('ERR no luck')");

  await expect(failing()).rejects.toThrow("ERR no luck");
  await expect(failing()).rejects.toThrow("ERR no luck");
});
