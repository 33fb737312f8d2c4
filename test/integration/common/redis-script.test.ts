import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { redisScript } from "../../../services/common/redis/script.ts";
import { readScripts } from "../../structure/lua.ts";
import { useRedis } from "../../support/running/redis.ts";

const { client: redis, namespace } = useRedis("script", 1);
const hash = `${namespace}:{script}`;
const file = (name: string) => new URL(`scripts/${name}`, import.meta.url);

const readFieldShape = { keys: ["hash"], arguments: ["field"], reply: z.string() } as const;
const failing = redisScript(file("failing.lua"), { keys: [], arguments: ["field"], reply: z.string() });

test("a script gets its keys and arguments by name, and lists of any length last", async () => {
  const shape = {
    keys: ["first", "others..."],
    arguments: ["prefix", "pairs..."],
    reply: z.array(z.string()),
  } as const;
  const lists = redisScript(file("lists.lua"), shape);
  const values = { first: `${hash}:1`, others: [`${hash}:2`, `${hash}:3`], prefix: "p", pairs: ["a", 1, "b", 2] };

  expect(await lists(redis, values)).toEqual([`${hash}:1`, "2", "p", "2", "a"]);
  expect(await redis.hgetall(`${hash}:3`)).toEqual({ a: "1", b: "2" });
});

test("a script whose names differ from those of its caller is refused before anything runs", () => {
  expect(() => redisScript(file("read-field.lua"), { ...readFieldShape, arguments: ["fields"] })).toThrow(
    'read-field.lua declares the arguments "field", its caller "fields"',
  );
  expect(() => redisScript(file("read-field.lua"), { ...readFieldShape, keys: [] })).toThrow(
    'read-field.lua declares the keys "hash", its caller ""',
  );
});

test("a script whose text the server has forgotten is sent again", async () => {
  const readField = redisScript(file("read-field.lua"), readFieldShape);
  const read = () => readField(redis, { hash, field: "field" });
  await redis.hset(hash, { field: "value" });
  await read();
  await redis.script("FLUSH");

  expect(await read()).toBe("value");
  expect(await Promise.all([read(), read()])).toEqual(["value", "value"]);
});

test("a script whose server has lost it meanwhile is sent again over the next connection", async () => {
  const client = redis.duplicate({ lazyConnect: true });
  onTestFinished(() => client.disconnect());
  const readField = redisScript(file("read-field.lua"), readFieldShape);
  const read = () => readField(client, { hash, field: "field" });
  await redis.hset(hash, { field: "value" });

  expect(await read()).toBe("value");
  await redis.script("FLUSH");
  client.disconnect(true);

  expect(await Promise.all([read(), read()])).toEqual(["value", "value"]);
});

test("an error of a script names the file and the line, also of a part, each time", async () => {
  const inTheFile = "test/integration/common/scripts/failing.lua:5: attempt to index local 'nothing' (a nil value)";
  const inThePart = "test/integration/common/scripts/part.lua:5: attempt to index upvalue 'nothing' (a nil value)";

  await expect(failing(redis, { field: "own" })).rejects.toThrow(inTheFile);
  await expect(failing(redis, { field: "other" })).rejects.toThrow(inThePart);
  await expect(failing(redis, { field: "own" })).rejects.toThrow("failing.lua:5:");
});

test.each(readScripts().map(({ path, text }) => [path, text]))("Redis compiles %s", async (_path, text) => {
  expect(await redis.script("LOAD", text)).toHaveLength(40);
});
