// Replicas of a Redis Cluster that take over without the newest writes: each owner notices it, and goes on from what
// the replica has.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { decide } from "../../../projections/event-state/decide.ts";
import { apply, createPartition, noOutputs, takeTouched, textsOf } from "../../../projections/live/partition.ts";
import { perAligned } from "../../../schemas/outputs.ts";
import { eventStateKeys } from "../../../schemas/redis-keys.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { NotOwner } from "../../../services/common/partitions/not-owner.ts";
import { createRedisClient } from "../../../services/common/redis/cluster.ts";
import { createRedisOf } from "../../../services/common/redis/key-connection.ts";
import { verdictOf } from "../../../services/common/store-away.ts";
import type { JournaledState } from "../../../services/state-api/events/journal.ts";
import { createRestore } from "../../../services/state-api/events/restore.ts";
import { createRestoredStates } from "../../../services/state-api/events/restored-states.ts";
import { createEventStore } from "../../../services/state-api/events/store.ts";
import { createLiveStore } from "../../../services/state-machine/store/live-store.ts";
import { createQueue } from "../../../services/webhooks/queue/queue.ts";
import { liveSettings } from "../../support/running/live-settings.ts";
import { until } from "../../support/running/processes.ts";
import { type RedisCluster, startRedisCluster } from "../../support/running/redis-cluster.ts";
import { detection } from "../../support/scenes/detection.ts";
import { checked, HOUR } from "../../unit/projections/event-state/events.ts";

const MASTERS = 3;
const log = createLog("test", "silent");
const owner = { name: "owner", logId: "log", settings: "" };

test("live state, queues and event states go on when replicas take over without the newest writes", async () => {
  const cluster = await startCluster();
  const config = loadConfig(redisEnv, cluster.envOf());
  const connected = createRedisClient(config, log);
  const events = await openEvents(config);
  onTestFinished(connected.stop);
  await connected.start();
  const live = openLive(connected.client);
  const queue = await openQueue(connected.client);
  await live.save(1);
  await queue.accept(1);
  await events.put("first");

  await cutReplicas(cluster);
  await live.save(2);
  await queue.accept(2);
  await events.put("second");
  await replaceMasters(cluster);

  // Until the clients know the new masters, Redis is away for them.
  expect(await untilAnswered(() => live.store.load(0))).toMatchObject({ next: 1 });
  expect(await live.trySave(3)).toBe("lost");
  expect(await live.trySave(3, true)).toBe("saved");
  expect((await live.store.load(0))?.state?.tracks.size).toBe(3);
  expect(await untilAnswered(queue.position)).toBe(1);
  await expect(queue.accept(3)).rejects.toThrow(NotOwner);
  expect(await untilAnswered(() => events.stateOf("first"))).toBeDefined();
  expect(await events.stateOf("second")).toBeDefined();
});

async function startCluster(): Promise<RedisCluster> {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-redis-failover-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  // A busy machine must not begin a failover before the test does.
  const cluster = await startRedisCluster({ dir, masters: MASTERS, replicasOfEach: 1, nodeTimeoutMs: 30_000 });
  onTestFinished(cluster.stop);
  return cluster;
}

/** Masters take no new connections, so their replicas cannot come back. */
async function cutReplicas({ nodes }: RedisCluster): Promise<void> {
  for (const { admin } of nodes.slice(0, MASTERS)) {
    await until(async () => Number(await admin.call("WAIT", ["1", "1000"])) === 1);
    await admin.call("CONFIG", ["SET", "maxclients", "1"]);
    await admin.call("CLIENT", ["KILL", "TYPE", "replica"]);
  }
}

async function replaceMasters({ nodes }: RedisCluster): Promise<void> {
  await Promise.all(nodes.slice(0, MASTERS).map((master) => master.halt()));
  for (const { admin } of nodes.slice(MASTERS)) await admin.call("CLUSTER", ["FAILOVER", "TAKEOVER"]);
  await until(async () => {
    const views = await Promise.all(nodes.slice(MASTERS).map(({ admin }) => admin.call("CLUSTER", "INFO")));
    return views.every((view) => String(view).includes("cluster_slots_ok:16384"));
  });
}

/** Repeats what fails because Redis is away. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  return until(async () => {
    try {
      return { value: await work() };
    } catch (error) {
      if (verdictOf(error) !== "away" && !String(error).includes("does not answer")) throw error;
      return undefined;
    }
  }).then((answer) => {
    if (answer === undefined) throw new Error("no answer");
    return answer.value;
  });
}

type Client = ReturnType<typeof createRedisClient>["client"];

/** Each save has one more track than the one before, and the position after it. */
function openLive(redis: Client) {
  const store = createLiveStore(redis, "n", Date.now);
  const state = createPartition(0);
  let folded = 0;

  async function trySave(next: number, isWhole = false) {
    if (folded < next) {
      const event = { dataSourceId: "cam", detections: [detection({ trackId: `t${next}`, timestamp: Date.now() })] };
      const message = { type: "DetectionsRecorded", event } as const;
      apply(state, { offset: folded++, recordedAt: Date.now(), message }, liveSettings, noOutputs());
    }
    const changes = isWhole ? { everything: () => textsOf(state) } : { touched: takeTouched(state) };
    const expected = next === 1 ? undefined : next - 1;
    const ends = perAligned(() => 0);
    return store.save({ partition: 0, owner, expected, next, ends, geofencesUpTo: -1, changes });
  }

  const save = async (next: number) => expect(await trySave(next)).toBe("saved");
  return { store, trySave, save };
}

async function openQueue(redis: Client) {
  const MUCH = 2 ** 30;
  const bounds = { lagMs: HOUR, maxWaiting: 100, maxBytes: MUCH, batchSignals: 100, batchBytes: MUCH };
  const payloadBudget = { of: async () => MUCH };
  const queue = createQueue({ redis, namespace: "n", partition: 0, bounds, payloadBudget, owner: "owner" });
  await queue.claim();
  await queue.begin(0, "log");
  return {
    position: queue.position,
    accept: (to: number) => queue.accept({ from: to - 1, to, now: Date.now(), signals: [] }),
  };
}

/** The log of the states is a list. */
async function openEvents(config: Parameters<typeof createRedisOf>[1]) {
  const keys = eventStateKeys("n");
  const options = { autoResendUnfulfilledCommands: false, enableOfflineQueue: false };
  const { client: redis, start, stop } = createRedisOf(keys.marker, config, log, options);
  onTestFinished(stop);
  await start();
  const logged: JournaledState[] = [];
  const journal = { write: async () => 0, read: async () => logged, logId: async () => "log" };
  const restore = createRestore({ redis, keys, journal, keepMs: HOUR, log });
  const restored = createRestoredStates({ redis, marker: keys.marker, logId: journal.logId, restore });
  const store = createEventStore({ redis, keys, restored, keepMs: HOUR, maxEvents: 10, maxEventsPerToken: 10 });

  async function put(scopeId: string): Promise<void> {
    const decided = decide(undefined, checked(true, { scopeId }), { now: Date.now(), leaseMs: HOUR, keepMs: HOUR });
    const state = "refused" in decided ? undefined : decided.state;
    if (state === undefined) throw new Error("no event was created");
    const change = { token: scopeId, version: state.version, state };
    expect(await store.put({ scopeId, workflowId: state.workflowId }, undefined, change)).toBe("put");
    const offset = logged.push({ state, offset: logged.length }) - 1;
    expect(await store.settle({ scopeId, workflowId: state.workflowId }, change, offset)).toBe("settled");
  }

  const stateOf = async (scopeId: string) => (await store.load({ scopeId, workflowId: "wf" })).entry?.state;
  return { put, stateOf };
}
