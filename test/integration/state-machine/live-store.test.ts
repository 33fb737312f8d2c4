import { expect, onTestFinished, test } from "vitest";
import {
  apply,
  createPartition,
  noOutputs,
  type PartitionState,
  takeTouched,
  textsOf,
} from "../../../projections/live/partition.ts";
import { everything } from "../../../projections/live/persist.ts";
import { trackState } from "../../../projections/live/views.ts";
import { perAligned } from "../../../schemas/outputs.ts";
import { partitionKeys, stagedKeys } from "../../../schemas/redis-keys.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { isPermanentError } from "../../../services/common/permanent-errors.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { createReadLive } from "../../../services/state-api/live/read-live.ts";
import { createLiveStore, type Save } from "../../../services/state-machine/store/live-store.ts";
import { stage } from "../../../services/state-machine/store/stage.ts";
import { liveSettings } from "../../support/running/live-settings.ts";
import { until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";
import { detection } from "../../support/scenes/detection.ts";
import { trackTexts } from "../../support/scenes/stored-state.ts";
import { createCamera, drawn, INSIDE, OUTSIDE, recorded, seen } from "../../unit/projections/live/camera.ts";

async function createStores() {
  const { env, uniqueName } = useStack();
  const namespace = uniqueName("live");
  const connect = async () => {
    const redis = createRedis(loadConfig(redisEnv, env), createLog("test", "silent"));
    await redis.start();
    onTestFinished(redis.stop);
    return redis.client;
  };
  const redis = await connect();
  return { redis, namespace, store: createLiveStore(redis, namespace, Date.now), connect };
}

const createStore = async () => (await createStores()).store;

/** The state of tracks that all have their last detection at this time. */
function tracksSeenAt(timestamp: number, count: number): PartitionState {
  const state = createPartition(0);
  const detections = Array.from({ length: count }, (_, i) => detection({ trackId: `t${i}`, timestamp }));
  const message = { type: "DetectionsRecorded", event: { dataSourceId: "cam", detections } } as const;
  apply(state, { offset: 0, recordedAt: timestamp, message }, liveSettings, noOutputs());
  return state;
}

const first = { name: "first", logId: "log", settings: "" };
const second = { name: "second", logId: "log", settings: "" };

const nothing = { tracks: new Map(), sources: new Map(), zones: new Map(), past: new Map() };

const save = (changes: Partial<Save>): Save => ({
  partition: 0,
  owner: first,
  expected: undefined,
  next: 1,
  ends: perAligned(() => 0),
  geofencesUpTo: -1,
  changes: { touched: nothing },
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

  await store.release(0, first);

  expect(await store.isFree(0)).toBe(true);
});

test("a partition stays taken while its owner says so, and only its present owner can", async () => {
  const { redis, namespace, store } = await createStores();
  const { position } = partitionKeys(namespace, 0);
  await store.save(save({}));
  await redis.hset(position, "savedAt", 0);

  await store.renewClaim(0, second);
  expect(await store.isFree(0)).toBe(true);

  await store.renewClaim(0, first);
  expect(await store.isFree(0)).toBe(false);
});

test("what an earlier owner let go does not count for the present one", async () => {
  const store = await createStore();
  await store.save(save({}));
  await store.release(0, first);
  await store.save(save({ owner: second, expected: 1, next: 2 }));

  await store.release(0, first);

  expect(await store.isFree(0)).toBe(false);
});

test("a partition is not free once its next owner is at work, also before that one saves", async () => {
  const store = await createStore();
  await store.save(save({}));
  await store.release(0, first);

  await store.claim(0, second);

  expect(await store.isFree(0)).toBe(false);
  expect((await store.load(0))?.next).toBe(1);
  await store.release(0, second);
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
  await store.save(save({ owner: second, expected: 1, next: 5 }));

  expect(await store.save(save({ expected: 1, next: 3 }))).toBe("overtaken");
});

test("a position that is gone is noticed, and everything can be written again", async () => {
  const store = await createStore();

  expect(await store.save(save({ expected: 7, next: 9 }))).toBe("lost");
  expect(await store.save(save({ expected: 7, next: 9, changes: { everything: () => [] } }))).toBe("saved");
  expect((await store.load(0))?.next).toBe(9);
});

test.each(["tracks", "sources", "zones", "past"] as const)("a position whose %s are gone is no state", async (kind) => {
  const { redis, namespace, store } = await createStores();
  const keys = partitionKeys(namespace, 0);
  const one = (name: string) => new Map([[name, "{}"]]);
  const each = { tracks: one("t"), sources: one("s"), zones: one("z"), past: one("p") };
  await store.save(save({ changes: { touched: each } }));
  await redis.unlink(keys[kind]);

  expect(await store.load(0)).toEqual({ next: 1, state: undefined });
  expect(await store.save(save({ expected: 1, next: 2, changes: { touched: each } }))).toBe("lost");
  expect(await redis.hget(keys.position, "next")).toBe("1");
  expect(await store.save(save({ expected: 1, next: 2, changes: { everything: () => [] } }))).toBe("saved");
  expect((await store.load(0))?.state).toBeDefined();
});

test("a state of which single entries are gone, or which is lost while it is loaded, is not taken for a whole one", async () => {
  const { redis, namespace, store } = await createStores();
  const { tracks } = partitionKeys(namespace, 0);
  await store.save(save({ changes: { everything: () => textsOf(tracksSeenAt(1_000, 1_000)) } }));
  const scan = redis.hscan.bind(redis);
  Reflect.set(redis, "hscan", async (...args: Parameters<typeof scan>) => {
    const portion = await scan(...args);
    await redis.hdel(tracks, "t7");
    return portion;
  });

  expect(await store.load(0)).toEqual({ next: 1, state: undefined });
});

test("a position without the count of its entries is taken as it is, also when only its last writer wrote none", async () => {
  const { redis, namespace, store } = await createStores();
  const { position, tracks } = partitionKeys(namespace, 0);
  await store.save(save({ changes: { everything: () => textsOf(tracksSeenAt(1_000, 2)) } }));

  await redis.hdel(tracks, "t1");
  await redis.hincrby(position, "saves", 1);
  expect((await store.load(0))?.state?.tracks.size).toBe(1);

  await redis.hdel(position, "held");
  expect((await store.load(0))?.state?.tracks.size).toBe(1);
  expect(await store.save(save({ expected: 1, next: 2 }))).toBe("saved");
  expect((await store.load(0))?.next).toBe(2);
});

test("a state that is replaced while it is loaded is loaded as it was or as it is, never as a mixture", async () => {
  const { redis, namespace, store, connect } = await createStores();
  const other = createLiveStore(await connect(), namespace, Date.now);
  const before = tracksSeenAt(1_000, 3_000);
  await store.save(save({ changes: { everything: () => textsOf(before) } }));
  const after = tracksSeenAt(2_000, 3_000);
  const scan = redis.hscan.bind(redis);
  let portions = 0;
  Reflect.set(redis, "hscan", async (...args: Parameters<typeof scan>) => {
    if (++portions === 5) {
      await other.save(save({ expected: 1, next: 2, changes: { everything: () => textsOf(after) } }));
    }
    return scan(...args);
  });

  const loaded = await store.load(0);

  expect(portions).toBeGreaterThan(10);
  expect(loaded?.next).toBe(2);
  expect(loaded?.state?.tracks.size).toBe(3_000);
  expect(new Set([...(loaded?.state?.tracks.values() ?? [])].map(({ lastSeen }) => lastSeen))).toEqual(
    new Set([2_000]),
  );
});

test("a staged state that is not complete replaces nothing", async () => {
  const { store } = await createStores();
  const state = tracksSeenAt(1_000, 1);
  await store.save(save({ changes: { everything: () => textsOf(state) } }));
  const twiceTheSame = () => [...textsOf(state), ...textsOf(state)];

  expect(await store.save(save({ expected: 1, next: 2, changes: { everything: twiceTheSame } }))).toBe("lost");
  expect((await store.load(0))?.next).toBe(1);
});

test("what a dead owner had staged goes away by itself, and nobody reads it before", async () => {
  const { redis, namespace, store } = await createStores();
  const keys = stagedKeys(namespace, 0, "attempt");

  const counts = await stage(redis, keys, textsOf(tracksSeenAt(1_000, 1_200)));

  expect(counts).toEqual({ tracks: 1_200, sources: 1, zones: 0, past: 0 });
  expect(await redis.hlen(keys.tracks)).toBe(1_200);
  expect(await redis.ttl(keys.tracks)).toBeGreaterThan(0);
  expect(await redis.exists(partitionKeys(namespace, 0).tracks)).toBe(0);
  expect(await store.load(0)).toBeUndefined();
});

test("a state that cannot be understood ends the process: reading it again would change nothing", async () => {
  const { redis, namespace, store } = await createStores();
  const keys = partitionKeys(namespace, 0);
  const { tracks } = everything(tracksSeenAt(1_000, 1));
  await store.save(save({ changes: { touched: { ...nothing, tracks } } }));
  await redis.hset(keys.tracks, "t0", "{");

  const failure = await store.load(0).catch((error: unknown) => error);

  expect(isPermanentError(failure)).toBe(true);
  expect(String(failure)).toContain(keys.position);
});

test("a track whose past is longer than what is kept is read as it was, by the next owner and by REST", async () => {
  const { redis, namespace, store } = await createStores();
  const camera = createCamera();
  camera.fold(drawn());
  for (let at = 0; at < 640_000; at += 1_000)
    camera.fold(recorded(seen(at, INSIDE)), recorded(seen(at + 500, OUTSIDE)));
  const { tracks, past } = everything(camera.state);
  const shown = async () => {
    const [texts] = await createReadLive(redis, namespace, 1).track("t");
    return texts && { ...trackState(texts), applied_at: null };
  };
  const stored = async () => [...everything((await store.load(0))?.state ?? createPartition(0)).past].sort();

  await store.save(save({ changes: { touched: takeTouched(camera.state) } }));

  expect(await shown()).toEqual(trackState(trackTexts(tracks.get("t") ?? "", past)));
  expect(await stored()).toEqual([...past].sort());
  await store.save(save({ expected: 1, next: 2, changes: { everything: () => textsOf(camera.state) } }));
  expect(await stored()).toEqual([...past].sort());
});
