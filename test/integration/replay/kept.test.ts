// The stores keep some signals of a session. They also decide who wins when it is paused and resumed at the same time.
import { afterAll, beforeAll, expect, test } from "vitest";
import { KEPT_SIGNALS } from "../../../projections/replay/kept-signals.ts";
import { newSession, noProgress } from "../../../projections/replay/session.ts";
import { replayKeys } from "../../../schemas/redis-keys.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis, redisDatabase } from "../../../services/common/redis/client.ts";
import { type Claimed, createReplayStore } from "../../../services/replay/store.ts";
import { createReplaySessions } from "../../../services/state-api/replay/store.ts";
import { useStack } from "../../support/running/stack.ts";
import { replayOfTracks } from "../../support/scenes/segment-tracks.ts";
import { subscriptionSet } from "../../support/scenes/signals.ts";

const { env, uniqueName } = useStack();
const { client, ...redis } = createRedis(redisDatabase(loadConfig(redisEnv, env), 4), createLog("test", "silent"));
const HOUR_MS = 3_600_000;

beforeAll(() => redis.start());
afterAll(() => redis.stop());

function createBoth() {
  const namespace = uniqueName("kept");
  const sessions = createReplaySessions(client, namespace, { all: 1_000, perToken: 1_000 });
  const store = createReplayStore(client, namespace, { forMs: HOUR_MS, most: 2, mostBytes: 1_048_576 });
  const keys = replayKeys(namespace);

  /** The session `v-<id>`, claimed by a process. */
  async function open(id: string, createdAt = 1): Promise<Claimed> {
    const subscription = { ...subscriptionSet(`v-${id}`, ""), secrets: [] };
    const spec = { id, ...replayOfTracks("a"), mode: "auto", speed: 1, subscription } as const;
    expect(await sessions.create(id, newSession(spec, createdAt), "t")).toBe("created");
    return claim(id);
  }

  async function claim(id: string): Promise<Claimed> {
    const { claimed } = await store.claim({ free: 1_000, held: {}, paused: [] }, []);
    const found = claimed.find((each) => each.id === id);
    if (found === undefined) throw new Error("nothing to claim");
    return found;
  }

  const numbers = async (id: string, after = 0) =>
    (await sessions.signals(`v-${id}`, after, 1_000)).map(({ number }) => number);

  /** No more ended sessions than these are kept. */
  async function endTwoMore(): Promise<void> {
    for (const id of ["first", "second"]) {
      await store.end(await open(id), { state: "finished", progress: noProgress });
    }
  }

  return {
    sessions,
    store,
    keys,
    endTwoMore,
    open,
    claim,
    numbers,
    exists: (id: string) => client.exists(`${keys.signals}v-${id}`),
  };
}

const texts = (from: number, to: number, characters = 10) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    number: from + i,
    text: JSON.stringify({ error: "x".repeat(characters) }),
  }));

test("the newest signals are kept, and one that comes again is not kept twice", async () => {
  const { store, open, numbers } = createBoth();
  const claimed = await open("many");

  await store.keep(claimed, texts(1, 150));
  await store.keep(claimed, texts(101, 250));

  expect(await numbers("many")).toEqual(Array.from({ length: KEPT_SIGNALS.maxSignals }, (_, i) => 51 + i));
  expect(await numbers("many", 248)).toEqual([249, 250]);
});

test("large signals are bounded by their bytes, however they come", async () => {
  const { store, open, numbers, keys } = createBoth();
  const claimed = await open("large");

  await store.keep(claimed, texts(1, 30, 60_000));
  for (let number = 31; number <= 60; number++) await store.keep(claimed, texts(number, number, 60_000));

  expect(await numbers("large")).toEqual([57, 58, 59, 60]);
  await store.keep(claimed, texts(61, 260));
  expect((await numbers("large")).at(-1)).toBe(260);
  expect(await client.memory("USAGE", `${keys.signals}v-large`)).toBeLessThan(2 * KEPT_SIGNALS.maxBytes);
});

test("a hundred sessions of large signals: the newest sessions of the token have theirs", async () => {
  const { store, open, numbers, keys } = createBoth();
  const all: Claimed[] = [];
  for (let i = 0; i < 100; i++) all.push(await open(`s${i}`, i));

  // Neither the order of writing nor a second round lets an older session take the place of a newer one.
  for (const each of [...all.toReversed(), ...all]) await store.keep(each, texts(1, 5, 60_000));

  const kept = await Promise.all(all.map(async ({ id }) => ((await numbers(id)).length > 0 ? [id] : [])));
  const newest = all.slice(-KEPT_SIGNALS.maxSessions).map(({ id }) => id);
  expect(kept.flat()).toEqual(newest);
  expect(await client.zcard(`${keys.shown}t`)).toBe(KEPT_SIGNALS.maxSessions);
});

type Both = ReturnType<typeof createBoth>;
type Leaving = (claimed: Claimed, both: Both) => Promise<unknown>;

const end: Leaving = (claimed, { store }) => store.end(claimed, { state: "finished", progress: noProgress });

/** A signal of the session was kept before it goes. */
const ways: readonly (readonly [string, Leaving])[] = [
  ["deleted", ({ id }, { sessions }) => sessions.remove(id)],
  ["forgotten", async (claimed, both) => [await end(claimed, both), await both.endTwoMore()]],
  ["replaced", async (claimed, both) => [await end(claimed, both), await both.open(claimed.id, 0)]],
  ["expired", ({ id }, { keys }) => client.pexpire(`${keys.signals}v-${id}`, 0)],
];

test.each(ways)("a session that is %s makes room for the signals of an older one", async (_how, leave) => {
  const both = createBoth();
  const { store, open, numbers } = both;
  const older = await open("older", 0);
  const newer: Claimed[] = [];
  for (let i = 1; i <= KEPT_SIGNALS.maxSessions; i++) newer.push(await open(`s${i}`, i));
  for (const each of newer) await store.keep(each, texts(1, 1));
  await store.keep(older, texts(1, 1));
  expect(await numbers("older")).toEqual([]);

  for (const each of newer.slice(0, 1)) await leave(each, both);
  await store.keep(older, texts(2, 2));

  expect(await numbers("older")).toEqual([2]);
  expect(await Promise.all(newer.slice(1).map(({ id }) => numbers(id)))).toEqual(newer.slice(1).map(() => [1]));
});

test("the signals go with the session: when it is deleted, replaced, or forgotten after its end", async () => {
  const { sessions, store, open, exists, keys } = createBoth();
  const ended: string[] = [];
  for (const id of ["first", "second", "third"]) {
    const claimed = await open(id);
    await store.keep(claimed, texts(1, 1));
    await store.end(claimed, { state: "finished", progress: noProgress });
    ended.push(id);
  }

  expect(await Promise.all(ended.map(exists))).toEqual([0, 1, 1]);
  expect(await client.pttl(`${keys.signals}v-third`)).toBeLessThanOrEqual(HOUR_MS);
  await sessions.remove("second");
  expect(await exists("second")).toBe(0);
});

test("a process that has lost the session keeps nothing of it", async () => {
  const { sessions, store, open, exists } = createBoth();
  const claimed = await open("lost");
  await sessions.remove("lost");

  expect(await store.keep(claimed, texts(1, 1))).toBe(false);
  expect(await exists("lost")).toBe(0);
});

test("a resumption that comes before the process has recorded the pause wins", async () => {
  const { sessions, store, open, claim } = createBoth();
  const claimed = await open("raced");
  await sessions.pause("raced");
  await sessions.resume("raced", undefined);

  await store.pause(claimed, noProgress, HOUR_MS);
  await store.release(claimed);

  expect(await sessions.get("raced")).toMatchObject({ state: "running" });
  expect((await claim("raced")).session.steering).toMatchObject({ isHeld: false });
});

test("no process takes up a paused session before it is stepped or resumed", async () => {
  const { sessions, store, open, claim } = createBoth();
  const claimed = await open("paused");
  await sessions.pause("paused");
  await store.pause(claimed, { ...noProgress, steps: 7 }, HOUR_MS);
  await store.release(claimed);
  await expect(claim("paused")).rejects.toThrow("nothing to claim");

  expect(await sessions.step("paused", 2)).toEqual({ before: 7 });

  const stepped = await claim("paused");
  expect(stepped.session.steering).toEqual({ isHeld: true, granted: 9, speed: 1 });
  await sessions.resume("paused", "max");
  expect(await store.renew(stepped)).toMatchObject({ isHeld: false, speed: null });
});

test("steps that are requested before the process has recorded the pause count from there", async () => {
  const { sessions, store, open } = createBoth();
  const claimed = await open("early");
  await store.save(claimed, { ...noProgress, steps: 300 });
  await sessions.pause("early");
  await sessions.step("early", 1);
  await sessions.step("early", 2);

  await store.pause(claimed, { ...noProgress, steps: 500 }, HOUR_MS);

  expect(await sessions.get("early")).toMatchObject({ state: "running", steering: { granted: 503 } });
  await store.pause(claimed, { ...noProgress, steps: 503 }, HOUR_MS);
  expect(await sessions.get("early")).toMatchObject({ state: "paused", steering: { granted: 503 } });
});

test("steps that were requested before a resumption do not count after it", async () => {
  const { sessions, store, open } = createBoth();
  const claimed = await open("resumed");
  await sessions.pause("resumed");
  await sessions.step("resumed", 5);
  await sessions.resume("resumed", undefined);
  await sessions.pause("resumed");

  await store.pause(claimed, { ...noProgress, steps: 7 }, HOUR_MS);

  expect(await sessions.get("resumed")).toMatchObject({ state: "paused", steering: { granted: 0 } });
});

test("a session of the version before, which knows no steering, goes on as its request says", async () => {
  const { sessions, open, claim, store, keys } = createBoth();
  const claimed = await open("older");
  await store.release(claimed);
  await client.hdel(`${keys.session}older`, "speed", "held");

  expect((await claim("older")).session.steering).toEqual({ isHeld: false, granted: 0, speed: 1 });
  expect(await sessions.get("older")).toMatchObject({ outline: { mode: "auto", speed: 1 } });
});
