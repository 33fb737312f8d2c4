// Ended sessions in the stores: no process runs them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession, noProgress, type Segment } from "../../../projections/replay/session.ts";
import { replayKeys } from "../../../schemas/redis-keys.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis, redisDatabase } from "../../../services/common/redis/client.ts";
import { type Claimed, createReplayStore, type Keeping } from "../../../services/replay/store.ts";
import { createReplaySessions } from "../../../services/state-api/replay/store.ts";
import { useStack } from "../../support/running/stack.ts";
import { noFilters } from "../../support/scenes/no-filters.ts";
import { askedOfCam, replayOfTracks } from "../../support/scenes/segment-tracks.ts";
import { subscriptionSet } from "../../support/scenes/signals.ts";

const { env, uniqueName } = useStack();
const { client, ...redis } = createRedis(redisDatabase(loadConfig(redisEnv, env), 4), createLog("test", "silent"));
const MUCH: Keeping = { forMs: 60_000, most: 100, mostBytes: 1_048_576 };

beforeAll(() => redis.start());
afterAll(() => redis.stop());

const segment: Segment = {
  ...{ partition: 0, asked: askedOfCam("a"), dataSourceIds: ["cam"], log: "history", begin: 0, end: 1 },
  ...{ beginAt: 0, lastAt: 1, recorded: [], eventFrom: 0, eventTo: 1 },
};

function createBoth(keeping: Keeping) {
  const namespace = uniqueName("ended");
  const { session } = replayKeys(namespace);
  const sessions = createReplaySessions(client, namespace, { all: 100, perToken: 100 });
  const store = createReplayStore(client, namespace, keeping);

  async function create(id: string, tokenId = "t", tags: readonly string[] = []) {
    const subscription = {
      ...subscriptionSet(`v-${id}`, "https://hooks.example.com"),
      secrets: [],
      filters: { ...noFilters, tags },
    };
    const spec = { id, ...replayOfTracks("a"), mode: "manual", speed: 1, subscription } as const;
    expect(await sessions.create(id, newSession(spec, 1), tokenId)).toBe("created");
  }

  async function claim(id: string): Promise<Claimed> {
    const { claimed } = await store.claim({ free: 100, held: {}, paused: [] }, []);
    const found = claimed.find((each) => each.id === id);
    if (found === undefined) throw new Error("nothing to claim");
    return found;
  }

  async function run(id: string, tokenId?: string, tags?: readonly string[]): Promise<void> {
    await create(id, tokenId, tags);
    const claimed = await claim(id);
    expect(await store.plan(claimed, [segment])).toBe(true);
    expect(await store.end(claimed, { state: "failed", reason: "gone", progress: noProgress })).toBe(true);
  }

  const kept = async (...ids: readonly string[]) =>
    (await Promise.all(ids.map(async (id) => ((await sessions.get(id)) === undefined ? [] : [id])))).flat();

  /** Makes the session look as if the version before outlines had made it. */
  const age = (id: string) => client.hdel(session + id, "outline");

  return {
    sessions,
    store,
    create,
    claim,
    run,
    kept,
    age,
    setPlan: (id: string, plan: readonly object[]) => client.hset(session + id, "plan", JSON.stringify(plan)),
    bytes: (id: string) => client.memory("USAGE", session + id),
  };
}

test("an ended session keeps what the answers about it need, and not the filters that it was made with", async () => {
  const { sessions, run, bytes } = createBoth(MUCH);

  await run("large", "t", ["x".repeat(900_000)]);

  expect(await sessions.get("large")).toMatchObject({
    ...{
      state: "failed",
      reason: "gone",
      log: "history",
      steering: { granted: 0 },
      createdAt: 1,
      endedAt: expect.any(Number),
    },
    outline: { id: "large", trackIds: ["a"], mode: "manual", webhookUrl: "https://hooks.example.com" },
  });
  expect(await bytes("large")).toBeLessThan(2_000);
});

test("the newest ended sessions of each token stay, those of other tokens do not count", async () => {
  const { run, kept } = createBoth({ ...MUCH, most: 2 });

  await run("other", "other");
  for (const id of ["1", "2", "3", "4"]) await run(id);

  expect(await kept("1", "2", "3", "4", "other")).toEqual(["3", "4", "other"]);
});

test("ended sessions are bounded by their size, too; the one that ended last stays", async () => {
  const { run, kept } = createBoth({ ...MUCH, mostBytes: 100 });

  await run("1");
  await run("2");

  expect(await kept("1", "2")).toEqual(["2"]);
});

test("an id that another token has taken over stays with its new session", async () => {
  const { run, kept, create, sessions } = createBoth({ ...MUCH, most: 1 });
  await run("open");
  await run("ended");
  await run("ended", "other");
  await create("open", "other");

  await run("last");

  expect(await kept("open", "ended", "last")).toEqual(["open", "ended", "last"]);
  expect(await sessions.get("open")).toMatchObject({ state: "paused" });
});

test("nothing is left of a session that was deleted after its end", async () => {
  const { run, kept, sessions } = createBoth({ ...MUCH, most: 2 });
  await run("1");
  await run("deleted");
  await sessions.remove("deleted");

  await run("2");

  expect(await kept("1", "deleted", "2")).toEqual(["1", "2"]);
});

test("a session that was made before there were outlines is shown, runs and is shown after its end", async () => {
  const { sessions, store, create, claim, age } = createBoth(MUCH);
  await create("older");
  const outline = { id: "older", trackIds: ["a"], mode: "manual", webhookUrl: "https://hooks.example.com" };
  await age("older");

  expect(await sessions.get("older")).toMatchObject({ state: "paused", outline });
  await store.end(await claim("older"), { state: "finished", progress: noProgress });

  expect(await sessions.get("older")).toMatchObject({ state: "finished", outline });
});

test.each(["recorded", "asked"])("a plan without %s, as an earlier version made it, is made anew", async (member) => {
  const { create, claim, setPlan } = createBoth(MUCH);
  await create("older");
  await setPlan("older", [{ ...segment, [member]: undefined }]);

  expect((await claim("older")).session.plan).toBeUndefined();
});
