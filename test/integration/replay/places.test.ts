// Which sessions a process takes up, by the store alone.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createLog } from "../../../services/common/log.ts";
import { createRedis, redisDatabase } from "../../../services/common/redis.ts";
import { createReplayStore } from "../../../services/replay/store.ts";
import { createReplaySessions } from "../../../services/state-api/replay/store.ts";
import { useStack } from "../../support/stack.ts";

const { env, uniqueName } = useStack();

test.each([
  [
    "a token that asks for many sessions leaves places for the others",
    ["first", "second", "third", "fourth"],
    [4, 2, 1, 1],
  ],
  ["without tokens all places are taken", [""], [8]],
])("%s", async (_what, tokens, taken) => {
  const redis = createRedis(redisDatabase(env.REDIS_URL, 4), createLog("test", "silent"));
  await redis.start();
  const namespace = uniqueName("places");
  const sessions = createReplaySessions(redis.client, namespace, { all: 100, perToken: 20 });
  const store = createReplayStore(redis.client, namespace, { forMs: 1_000, most: 1, mostBytes: 1_024 });
  const ask = (tokenId: string) => sessions.create(randomUUID(), { spec: "{}", version: "v" }, tokenId);
  const held: Record<string, number> = {};
  let free = 8;

  const counts: number[] = [];
  for (const token of tokens) {
    for (let i = 0; i < 20; i++) await ask(token);
    const claimed = await store.claim({ free, held }, []);
    for (const { tokenId } of claimed) held[tokenId] = (held[tokenId] ?? 0) + 1;
    free -= claimed.length;
    counts.push(held[token] ?? 0);
  }
  await redis.stop();

  expect(counts).toEqual(taken);
});
