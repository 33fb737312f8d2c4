// The store alone decides which sessions a process takes up, and whose places it gives back.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession, noProgress } from "../../../projections/replay/session.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis, redisDatabase } from "../../../services/common/redis/client.ts";
import { createReplayStore } from "../../../services/replay/store.ts";
import { createReplaySessions } from "../../../services/state-api/replay/store.ts";
import { useStack } from "../../support/running/stack.ts";
import { replayOfTracks } from "../../support/scenes/segment-tracks.ts";
import { subscriptionSet } from "../../support/scenes/signals.ts";

const { env, uniqueName } = useStack();
const { client, ...redis } = createRedis(redisDatabase(loadConfig(redisEnv, env), 4), createLog("test", "silent"));

beforeAll(() => redis.start());
afterAll(() => redis.stop());

function createBoth() {
  const namespace = uniqueName("places");
  const sessions = createReplaySessions(client, namespace, { all: 100, perToken: 20 });
  const store = createReplayStore(client, namespace, { forMs: 1_000, most: 1, mostBytes: 1_024 });
  const subscription = { ...subscriptionSet("v", "https://hooks.example.com"), secrets: [] };

  async function create(tokenId: string, mode: "auto" | "manual" = "auto"): Promise<string> {
    const id = randomUUID();
    await sessions.create(id, newSession({ id, ...replayOfTracks("a"), mode, speed: 1, subscription }, 1), tokenId);
    return id;
  }

  /** A session that waits for its first step, and that no process runs. */
  async function createPaused(idleMs: number): Promise<string> {
    const id = await create("t", "manual");
    const { claimed } = await store.claim({ free: 1, held: {}, paused: [] }, []);
    for (const each of claimed) {
      expect(await store.pause(each, noProgress, idleMs)).toBe(true);
      await store.release(each);
    }
    return id;
  }

  const claimable = async (free: number) => {
    const { claimed } = await store.claim({ free, held: {}, paused: [] }, []);
    return claimed.map(({ id, isIdle }) => ({ id, isIdle }));
  };

  return { sessions, store, create, createPaused, claimable };
}

test.each([
  [
    "a token that asks for many sessions leaves places for the others",
    ["first", "second", "third", "fourth"],
    [4, 2, 1, 1],
  ],
  ["without tokens all places are taken", [""], [8]],
])("%s", async (_what, tokens, taken) => {
  const { store, create } = createBoth();
  const held: Record<string, number> = {};
  let free = 8;

  const counts: number[] = [];
  for (const token of tokens) {
    for (let i = 0; i < 20; i++) await create(token);
    const { claimed } = await store.claim({ free, held, paused: [] }, []);
    for (const { tokenId } of claimed) held[tokenId] = (held[tokenId] ?? 0) + 1;
    free -= claimed.length;
    counts.push(held[token] ?? 0);
  }

  expect(counts).toEqual(taken);
});

test("a session that waits for a step is taken up again when there is one, and not before", async () => {
  const { sessions, createPaused, claimable } = createBoth();
  const id = await createPaused(60_000);

  expect(await claimable(1)).toEqual([]);
  await sessions.step(id, 1);

  expect(await sessions.get(id)).toMatchObject({ state: "running", steering: { granted: 1 } });
  expect(await claimable(1)).toEqual([{ id, isIdle: false }]);
});

test("a session that waited for a step for too long is taken up to be ended, also when all places are taken", async () => {
  const { createPaused, claimable } = createBoth();
  const id = await createPaused(0);

  expect(await claimable(0)).toEqual([{ id, isIdle: true }]);
});

const idle = { state: "failed", reason: "nobody asked", progress: noProgress, ifWaiting: true } as const;

test.each([
  ["stepped", ({ sessions }: ReturnType<typeof createBoth>, id: string) => sessions.step(id, 1)],
  ["resumed", ({ sessions }: ReturnType<typeof createBoth>, id: string) => sessions.resume(id, undefined)],
])("a session that is %s while it is being ended for its wait goes on", async (_how, ask) => {
  const both = createBoth();
  const { sessions, store, createPaused, claimable } = both;
  const id = await createPaused(0);
  const [claimed] = (await store.claim({ free: 0, held: {}, paused: [] }, [])).claimed;
  if (claimed === undefined) throw new Error("nothing to claim");

  await ask(both, id);

  expect(await store.end(claimed, idle)).toBe(false);
  expect(await sessions.get(id)).toMatchObject({ state: "running", reason: null });
  expect(await claimable(1)).toEqual([{ id, isIdle: false }]);
});

test("a session that still waits is ended for it", async () => {
  const { sessions, store, createPaused } = createBoth();
  const id = await createPaused(0);
  const [claimed] = (await store.claim({ free: 0, held: {}, paused: [] }, [])).claimed;
  if (claimed === undefined) throw new Error("nothing to claim");

  expect(await store.end(claimed, idle)).toBe(true);
  expect(await sessions.get(id)).toMatchObject({ state: "failed", reason: "nobody asked" });
});

const paused = (...tokens: readonly string[]) => tokens.map((tokenId, i) => ({ id: `${tokenId}${i}`, tokenId }));

test.each([
  ["the longest waiting one of another token", "c", 0, { a: 2, b: 1 }, paused("a", "b", "a"), ["a0"]],
  ["one of its own before those of others", "b", 0, { a: 3, b: 1 }, paused("a", "b", "a"), ["b1"]],
  ["as many as are needed", "a", 0, { a: 2, b: 2 }, paused("a", "b", "a"), ["a0", "a2"]],
  ["none if all of them would not let it in", "a", 0, { a: 4, b: 2 }, paused("b", "b"), []],
  ["one when there are no tokens", "", 0, { "": 2 }, paused("", ""), ["0"]],
])("to a session that finds no place, paused ones give theirs: %s", async (_which, token, free, held, given, back) => {
  const { store, create } = createBoth();
  await create(token);

  expect(await store.claim({ free, held, paused: given }, [])).toEqual({ claimed: [], giveBack: back });
});

test("no place is given back while there is one for everybody", async () => {
  const { store, create } = createBoth();
  const id = await create("a");

  const taken = await store.claim({ free: 2, held: { a: 1 }, paused: paused("a") }, []);

  expect(taken).toMatchObject({ claimed: [{ id }], giveBack: [] });
});
