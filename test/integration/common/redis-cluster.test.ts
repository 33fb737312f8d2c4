// Every script and every store on three masters: a Cluster refuses what a single Redis takes, such as a script over two
// hash slots.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Cluster, Redis } from "ioredis";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { decide } from "../../../projections/event-state/decide.ts";
import { apply, createPartition, noOutputs, takeTouched, textsOf } from "../../../projections/live/partition.ts";
import { newSession, noProgress } from "../../../projections/replay/session.ts";
import { queueIdOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import { causeOf, waitingSignal } from "../../../projections/webhooks/deliveries/waiting.ts";
import { perAligned } from "../../../schemas/outputs.ts";
import { askedChannel, deliveryKeys, eventStateKeys, subscriptionLeaseKey } from "../../../schemas/redis-keys.ts";
import { createdAt, createSharedHeaders } from "../../../services/api/write/shared-headers.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createNotices, type RedisPart, redisDatabase } from "../../../services/common/redis/client.ts";
import { createRedisClient, getAll, isCluster } from "../../../services/common/redis/cluster.ts";
import { hashSlotOf } from "../../../services/common/redis/hash-slot.ts";
import { createRedisOf } from "../../../services/common/redis/key-connection.ts";
import { withLease } from "../../../services/common/redis/lease.ts";
import { callReplicated } from "../../../services/common/redis/replicated.ts";
import { createReplayStore } from "../../../services/replay/store.ts";
import { createMarkDeleted } from "../../../services/state-api/deliveries/mark-deleted.ts";
import { createPending } from "../../../services/state-api/deliveries/pending.ts";
import { createKeptTracks } from "../../../services/state-api/detections/kept-tracks.ts";
import { createLiveMarks } from "../../../services/state-api/detections/live-marks.ts";
import { createRestore } from "../../../services/state-api/events/restore.ts";
import { createRestoredStates } from "../../../services/state-api/events/restored-states.ts";
import { createEventStore } from "../../../services/state-api/events/store.ts";
import { createTrackSightings } from "../../../services/state-api/events/track-sightings.ts";
import { createReadLive } from "../../../services/state-api/live/read-live.ts";
import { createReplaySessions } from "../../../services/state-api/replay/store.ts";
import { createLiveStore } from "../../../services/state-machine/store/live-store.ts";
import { createPayloadBudget } from "../../../services/webhooks/queue/payload-budget.ts";
import { createQueue } from "../../../services/webhooks/queue/queue.ts";
import { readScripts } from "../../structure/lua.ts";
import { liveSettings } from "../../support/running/live-settings.ts";
import { until } from "../../support/running/processes.ts";
import { type RedisCluster, startRedisCluster } from "../../support/running/redis-cluster.ts";
import { scratchDir } from "../../support/running/scratch-dir.ts";
import { detection } from "../../support/scenes/detection.ts";
import { noFilters } from "../../support/scenes/no-filters.ts";
import { replayOfTracks } from "../../support/scenes/segment-tracks.ts";
import { signalRaised, subscriptionSet } from "../../support/scenes/signals.ts";
import { checked, HOUR, updated } from "../../unit/projections/event-state/events.ts";

const PARTITIONS = 6;
const MASTERS = 3;
const NAMESPACE = "n";
const log = createLog("test", "silent");
const dir = await scratchDir("tracklog-redis-cluster-");

let cluster: RedisCluster;
let connected: ReturnType<typeof createRedisClient>;
const opened: RedisPart[] = [];

const config = () => loadConfig(redisEnv, cluster.envOf());
const redis = () => connected.client;

async function connectTo(key: string) {
  const connection = createRedisOf(key, config(), log, {
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
  });
  opened.push(connection);
  await connection.start();
  return connection.client;
}

beforeAll(async () => {
  cluster = await startRedisCluster({ dir, masters: MASTERS, replicasOfEach: 0, nodeTimeoutMs: 30_000 });
  connected = createRedisClient(redisDatabase(config(), 3), log);
  await connected.start();
});

afterAll(async () => {
  await Promise.all([...opened, connected].map(({ stop }) => stop()));
  await cluster.stop();
  await rm(dir, { recursive: true, force: true });
});

test("the partitions are on all masters, at the hash slots that the servers compute", async () => {
  const [node] = cluster.nodes;
  const keys = ["", "foo", "foo{}{bar}", "{foo", "n:sm:{p3}:tracks", "ключ{ä}"];
  const slots = await Promise.all(keys.map((key) => node?.admin.call("CLUSTER", ["KEYSLOT", key])));
  const masters = await Promise.all(
    Array.from({ length: 12 }, (_, partition) => cluster.masterOf(deliveryKeys(NAMESPACE, partition).base)),
  );

  expect(keys.map(hashSlotOf)).toEqual(slots);
  expect(new Set(masters).size).toBe(MASTERS);
});

test("live state of every partition is saved, replaced, loaded and found", async () => {
  const store = createLiveStore(redis(), NAMESPACE, Date.now);
  const owner = { name: "owner", logId: "log", settings: "" };
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const dataSourceId = `cam-${partition}`;
    const state = createPartition(partition);
    const fold = (offset: number, trackId: string) => {
      const event = { dataSourceId, detections: [detection({ trackId, timestamp: Date.now() })] };
      const message = { type: "DetectionsRecorded", event } as const;
      apply(state, { offset, recordedAt: Date.now(), message }, liveSettings, noOutputs());
    };
    const save = { partition, owner, ends: perAligned(() => 0), geofencesUpTo: -1 };
    await store.claim(partition, owner);
    fold(0, "t");
    const everything = { everything: () => textsOf(state) };
    expect(await store.save({ ...save, expected: undefined, next: 1, changes: everything })).toBe("saved");
    fold(1, `t-${partition}`);
    const touched = { touched: takeTouched(state) };
    expect(await store.save({ ...save, expected: 1, next: 2, changes: touched })).toBe("saved");
    await store.renewClaim(partition, owner);
    expect(await store.isFree(partition)).toBe(false);
    await store.release(partition, owner);
    expect((await store.load(partition))?.state?.tracks.size).toBe(2);
  }

  const live = createReadLive(redis(), NAMESPACE, PARTITIONS);
  expect(await live.track("t")).toHaveLength(PARTITIONS);
  expect(await live.track("t-4")).toHaveLength(1);
  const marks = await createLiveMarks(redis(), NAMESPACE, PARTITIONS)(["t-0", "t-5", "unknown"]);
  expect([...marks.keys()].sort()).toEqual(["t-0", "t-5"]);
  expect((await createTrackSightings(redis(), NAMESPACE, PARTITIONS).find("t-2"))?.dataSourceId).toBe("cam-2");
});

test("signals of every partition wait, are taken, requested again, and end", async () => {
  const notices: string[] = [];
  const channel = askedChannel(NAMESPACE);
  const listener = createRedisOf(channel, config(), log);
  opened.push(listener);
  await createNotices(listener, channel, (text) => notices.push(text)).start();
  const MUCH = 2 ** 30;
  const bounds = { lagMs: HOUR, maxWaiting: 100, maxBytes: MUCH, batchSignals: 100, batchBytes: MUCH };
  const payloadBudget = createPayloadBudget({ redis: redis(), namespace: NAMESPACE, partitions: 6, maxBytes: MUCH });
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const options = { redis: redis(), namespace: NAMESPACE, partition };
    const queue = createQueue({ ...options, bounds, payloadBudget, owner: "owner" });
    const of = { subscriptionId: `{s}${partition}`, generation: 1 };
    const queueId = queueIdOf(of);
    const partitionOf = () => partition;
    const pending = createPending({ ...options, partitionOf });
    const signals = [1, 2, 3].map((nth) => {
      const raised = signalRaised(of.subscriptionId, nth, { generation: 1 });
      const waiting = waitingSignal(raised, Date.now());
      const cause = causeOf(raised, new Map());
      return { queueId, mode: "streaming", cause, waiting, refusal: undefined, configBytes: 0 } as const;
    });
    const take = async () => {
      const asked = { queueId, now: Date.now(), version: "v", batchMs: undefined, isStopped: false };
      return (await queue.take(asked)).head?.id ?? "";
    };
    const ended = (id: string) => ({ queueId, id, subject: "", record: '{"ended":1}' });
    await queue.claim();
    await queue.begin(0, "log");
    await queue.accept({ from: 0, to: 3, now: Date.now(), signals });
    await queue.evict(Date.now());
    expect(await queue.position()).toBe(3);
    const first = await take();
    await queue.retry(queueId, first, [], 0);
    expect((await queue.load(queueId, await take())) !== undefined).toBe(true);
    await queue.end(ended(first), undefined);
    const second = await take();
    expect(await pending.request(of, second, { kind: "waiting", createdAt: 1, signal: "track_created" })).toBe("asked");
    expect(await pending.list({ ...of, after: undefined, limit: 10 })).toHaveLength(2);
    expect(await queue.express(queueId)).toHaveLength(1);
    await queue.endExpress(ended(second), true);
    const [entry = ""] = await queue.outbox(1, MUCH);
    await queue.trimOutbox(1, entry);
    await createMarkDeleted({ ...options, partitionOf, log })(of);
    expect(await queue.load(queueId, await take())).toBe("deleted");
    await queue.forget(queueId);
    expect(await queue.known()).toEqual([]);
  }
  await until(() => notices.length === PARTITIONS);
});

test("states of events are restored, changed and taken over a connection to their master", async () => {
  const keys = eventStateKeys(NAMESPACE);
  const client = await connectTo(keys.marker);
  const times = { leaseMs: HOUR, keepMs: HOUR };
  const moment = { now: Date.now(), ...times };
  const decided = decide(undefined, checked(true, { scopeId: "logged", workflowId: "wf" }), moment);
  const state = "refused" in decided ? undefined : decided.state;
  if (state === undefined) throw new Error("no event was created");
  const journal = { write: async () => 0, read: async () => [{ state, offset: 5 }], logId: async () => "log" };
  const restore = createRestore({ redis: client, keys, journal, keepMs: HOUR, log });
  const restored = createRestoredStates({ redis: client, marker: keys.marker, logId: journal.logId, restore });
  const bounds = { keepMs: HOUR, maxEvents: 100, maxEventsPerToken: 100 };
  const store = createEventStore({ redis: client, keys, restored, ...bounds });
  const id = { scopeId: "{s}", workflowId: "wf" };
  const begun = { token: "a", version: 1, state: { ...state, key: JSON.stringify(["{s}", "wf"]), scopeId: "{s}" } };

  expect((await store.load({ scopeId: "logged", workflowId: "wf" })).entry?.state).toEqual(state);
  expect(await store.put(id, undefined, begun, "token")).toBe("put");
  expect(await store.settle(id, begun, 7)).toBe("settled");
  expect(await store.someWorkflows("{s}")).toEqual(["wf"]);
  await store.unsettle(id);
  expect(await store.takeDue(10)).toContainEqual(id);
  expect(await store.takeTracks(10)).not.toEqual([]);
  expect(decide(state, updated({ globalEventId: "e" }), moment)).toMatchObject({ action: "no_action" });
});

test("replay sessions are created, steered, run, looked at and removed", async () => {
  const sessions = createReplaySessions(redis(), NAMESPACE, { all: 10, perToken: 10 });
  const store = createReplayStore(redis(), NAMESPACE, { forMs: HOUR, most: 10, mostBytes: 1_000_000 });
  const subscription = { ...subscriptionSet("v", "https://hooks.example.com"), secrets: [], filters: noFilters };
  const created = (id: string) =>
    sessions.create(
      id,
      newSession({ id, ...replayOfTracks("a"), mode: "manual", speed: 1, subscription }, 1),
      "{token}",
    );
  expect([await created("{a}"), await created("b"), await created("b")]).toEqual(["created", "created", "exists"]);
  expect(await sessions.step("{a}", 2)).toEqual({ before: 0 });

  const { claimed } = await store.claim({ free: 10, held: {}, paused: [] }, []);
  const mine = claimed.find(({ id }) => id === "{a}");
  if (mine === undefined) throw new Error("nothing to claim");
  expect(await store.renew(mine)).toMatchObject({ isHeld: true, granted: 2 });
  expect(await store.keep(mine, [{ number: 7, text: "{}" }])).toBe(true);
  expect(await sessions.signals("v", 6, 10)).toEqual([{ number: 7 }]);
  expect(await sessions.list("{token}", "own")).toHaveLength(2);
  expect([await sessions.resume("{a}", "max"), await sessions.pause("{a}")]).toEqual(["done", "done"]);
  expect(await store.renew(mine)).toEqual({ isHeld: true, granted: 0, speed: null });
  expect(await store.plan(mine, [])).toBe(true);
  expect(await store.pause(mine, noProgress, HOUR)).toBe(true);
  expect(await store.end(mine, { state: "finished", progress: noProgress })).toBe(true);
  await store.release(mine);
  expect(await store.tokens()).toEqual(["{token}"]);
  expect([await sessions.remove("{a}"), await sessions.remove("b"), await sessions.remove("b")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("tracks, headers, leases and values of many hash slots are read and written", async () => {
  const ids = Array.from({ length: 20 }, (_, i) => `t${i}`);
  const header = {
    dataSourceId: "cam",
    tag: "t",
    startTime: 1,
    endTime: null,
    modelId: null,
    properties: null,
    metadata: null,
  };
  const headers = createSharedHeaders(redis(), NAMESPACE, 60);
  await Promise.all(ids.map((trackId) => headers.write({ ...header, trackId }, createdAt(1))));
  expect((await headers.read(ids)).map(({ trackId }) => trackId)).toEqual(ids);
  const kept = createKeptTracks({ redis: redis(), namespace: NAMESPACE, ttlSeconds: 60, maxTracks: 10 });
  const track = { tag: "", dataSourceId: "cam", endTime: null, stays: [], zones: null, askedAt: 1, covered: [] };
  await kept.write(
    "own",
    ids.map((trackId) => ({ ...track, trackId, spots: [], mark: null, isSettled: true })),
  );
  expect((await kept.read("own", ids)).size).toBe(10);
  await Promise.all(ids.map((id) => redis().set(id, id)));
  expect(await getAll(redis(), [...ids, "none"])).toEqual([...ids, null]);

  const held = await withLease(redis(), subscriptionLeaseKey(NAMESPACE, "{s}"), async (lease) => lease.isHeld());

  expect(held).toBe(true);
  expect(await redis().exists(subscriptionLeaseKey(NAMESPACE, "{s}"))).toBe(0);
});

test("by now a master knows every script", async () => {
  const scripts = readScripts();
  const hashes = scripts.map(({ text }) => createHash("sha1").update(text).digest("hex"));
  const known = await Promise.all(cluster.nodes.map(({ admin }) => admin.script("EXISTS", ...hashes)));

  expect(scripts.flatMap(({ path }, i) => (known.some((each) => Array(each).flat()[i] === 1) ? [] : [path]))).toEqual(
    [],
  );
});

/** A client that has not waited for replicas yet, and its log. */
async function openCluster() {
  const lines: string[] = [];
  const { client, start, stop } = createRedisClient(config(), pino({}, { write: (line) => void lines.push(line) }));
  onTestFinished(stop);
  await start();
  if (!isCluster(client)) throw new Error("no Cluster");
  return { client, lines };
}

const write = (client: Cluster, key: string) => callReplicated(client, "set", [key, "value"]);

async function waitsOf(admin: Redis): Promise<number> {
  return Number(/cmdstat_wait:calls=(\d+)/.exec(await admin.info("commandstats"))?.[1] ?? 0);
}

/** A key of each master. */
async function keyOfEach() {
  const keys = await Promise.all(
    ["foo", "bar", "a", "b", "c", "d"].map((key) => cluster.masterOf(key).then((node) => ({ key, node }))),
  );
  const [first, ...others] = keys;
  const second = others.find(({ node }) => node !== first?.node);
  if (first === undefined || second === undefined) throw new Error("all keys are at one master");
  return [first, second] as const;
}

test("a master without a replica does not keep the writes to another master from waiting for theirs", async () => {
  const { client } = await openCluster();
  const [first, second] = await keyOfEach();
  const before = await Promise.all([first, second].map(({ node }) => waitsOf(node.admin)));

  for (const { key } of [first, first, second]) expect(await write(client, key)).toBe("OK");

  const after = await Promise.all([first, second].map(({ node }) => waitsOf(node.admin)));
  expect(after.map((count, nth) => count - (before[nth] ?? 0))).toEqual([1, 1]);
});

test("a server that refuses to wait for replicas is in the log once", async () => {
  const { client, lines } = await openCluster();
  const [{ key, node }] = await keyOfEach();
  await node.admin.call("ACL", ["SETUSER", "default", "-wait"]);
  onTestFinished(() => void node.admin.call("ACL", ["SETUSER", "default", "+wait"]));

  for (let i = 0; i < 3; i++) expect(await write(client, key)).toBe("OK");

  expect(lines.filter((line) => line.includes("NOPERM"))).toHaveLength(1);
});

/** A slot with keys cannot be given away, so the key is in one without any. */
async function keyAt({ admin }: { readonly admin: Redis }): Promise<string> {
  const myId = await admin.call("CLUSTER", "MYID");
  for (let nth = 0; ; nth++) {
    const key = `moved-${nth}`;
    const isOwn = (await (await cluster.masterOf(key)).admin.call("CLUSTER", "MYID")) === myId;
    if (isOwn && (await admin.call("CLUSTER", ["COUNTKEYSINSLOT", hashSlotOf(key)])) === 0) return key;
  }
}

test("a write follows its hash slot to another master, and waits for the replicas there", async () => {
  const { client } = await openCluster();
  const [{ node: source }, { node: target }] = await keyOfEach();
  const key = await keyAt(source);
  const slot = hashSlotOf(key);
  const id = String(await target.admin.call("CLUSTER", "MYID"));
  const before = await waitsOf(target.admin);
  await Promise.all([target, source].map(({ admin }) => admin.call("CLUSTER", ["SETSLOT", slot, "NODE", id])));

  expect(await write(client, key)).toBe("OK");

  expect(await target.admin.get(key)).toBe("value");
  expect((await waitsOf(target.admin)) - before).toBe(1);
});
