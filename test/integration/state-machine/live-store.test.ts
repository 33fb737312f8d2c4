import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../../services/common/log.ts";
import { createRedis } from "../../../services/common/redis.ts";
import { createLiveStore, type Save } from "../../../services/state-machine/live-store.ts";
import { until } from "../../support/processes.ts";
import { useStack } from "../../support/stack.ts";

async function createStore() {
  const { env, uniqueName } = useStack();
  const redis = createRedis(env.REDIS_URL, createLog("test", "silent"));
  await redis.start();
  onTestFinished(redis.stop);
  return createLiveStore(redis.client, uniqueName("live"));
}

const save = (changes: Partial<Save>): Save => ({
  partition: 0,
  owner: "first",
  expected: undefined,
  next: 1,
  intersections: 0,
  touched: { tracks: new Map(), sources: new Map(), zones: new Map() },
  replace: false,
  ...changes,
});

test("a partition that nobody wrote is free", async () => {
  const store = await createStore();

  expect(await store.isFree(0)).toBe(true);
});

test("a partition is not free while its owner saves, and is when the owner lets go", async () => {
  const store = await createStore();
  await store.save(save({}));
  expect(await store.isFree(0)).toBe(false);

  await store.release(0, "first");

  expect(await store.isFree(0)).toBe(true);
});

test("what an earlier owner let go does not count for the present one", async () => {
  const store = await createStore();
  await store.save(save({}));
  await store.release(0, "first");
  await store.save(save({ owner: "second", expected: 1, next: 2 }));

  await store.release(0, "first");

  expect(await store.isFree(0)).toBe(false);
});

test("a partition is not free once its next owner is at work, also before that one saves", async () => {
  const store = await createStore();
  await store.save(save({}));
  await store.release(0, "first");

  await store.claim(0, "second");

  expect(await store.isFree(0)).toBe(false);
  expect((await store.load(0))?.next).toBe(1);
  await store.release(0, "second");
  expect(await store.isFree(0)).toBe(true);
});

test("an owner that died without a word is given up", async () => {
  const store = await createStore();
  await store.save(save({}));

  expect(await until(() => store.isFree(0), { timeoutMs: 20_000 })).toBe(true);
});

test("an owner that was overtaken can no longer save", async () => {
  const store = await createStore();
  await store.save(save({}));
  await store.save(save({ owner: "second", expected: 1, next: 5 }));

  expect(await store.save(save({ expected: 1, next: 3 }))).toBe("overtaken");
});

test("a position that is gone is noticed, and everything can be written again", async () => {
  const store = await createStore();

  expect(await store.save(save({ expected: 7, next: 9 }))).toBe("lost");
  expect(await store.save(save({ expected: 7, next: 9, replace: true }))).toBe("saved");
  expect((await store.load(0))?.next).toBe(9);
});
