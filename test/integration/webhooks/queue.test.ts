// The queues on a real Redis, without topics and receivers.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseQueueId } from "../../../projections/deliveries/queue-id.ts";
import { causeOf, waitingSignal } from "../../../projections/deliveries/waiting.ts";
import { deliveryKeys } from "../../../schemas/redis-keys.ts";
import { redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis, type RedisPart, redisDatabase } from "../../../services/common/redis.ts";
import { type Arrived, createQueue, NotOwner, type QueueOptions } from "../../../services/webhooks/queue.ts";
import { createRoom, type Room } from "../../../services/webhooks/room.ts";
import { signalRaised } from "../../support/signals.ts";
import { useStack } from "../../support/stack.ts";

const { env, uniqueName } = useStack();
const KIB = 1024;
const namespace = uniqueName("queue");
const bounds = {
  lagMs: 86_400_000,
  maxWaiting: 1_000,
  maxBytes: 1_000 * KIB,
  batchSignals: 1_000,
  batchBytes: 500 * KIB,
};
const now = Date.now();

const roomFor = (bytes: number): Room => ({ of: async () => bytes });
const ENDLESS = roomFor(Number.MAX_SAFE_INTEGER);

let redis: RedisPart;
let partitions = 0;

beforeAll(async () => {
  redis = createRedis(redisDatabase(redisEnv.parse(env).REDIS_URL, 1), createLog("test", "silent"));
  await redis.start();
});

afterAll(async () => {
  const left = await redis.client.keys(`${namespace}*`);
  if (left.length > 0) await redis.client.unlink(left);
  await redis.stop();
});

type Given = Partial<Pick<Arrived, "mode" | "refusal">> & { readonly bytes?: number };

/** Of a partition that no other test uses. */
async function openQueue(given: Partial<Pick<QueueOptions, "partition" | "room" | "namespace">> = {}) {
  const { partition = partitions++, room = ENDLESS } = given;
  const options = { redis: redis.client, namespace, bounds, room, ...given, partition };
  let offset = 0;
  const queue = createQueue({ ...options, owner: randomUUID() });
  await queue.claim();
  await queue.begin(0, "log");
  /** Returns the id of the signal. */
  async function arrive(queueId: Arrived["queueId"], { bytes = 10, mode = "streaming", refusal }: Given = {}) {
    const from = offset;
    offset += 1;
    const { subscriptionId, generation } = parseQueueId(queueId);
    const raised = signalRaised(subscriptionId, offset, { generation, state: JSON.stringify("x".repeat(bytes)) });
    const signal = { queueId, mode, cause: causeOf(raised, new Map()), waiting: waitingSignal(raised, now), refusal };
    await queue.accept({ from, to: offset, now, signals: [signal] });
    return raised.id;
  }
  const take = async (queueId: Arrived["queueId"], batchMs?: number) =>
    (await queue.take({ queueId, now, version: "v1", batchMs })).head;
  /** Ids and statuses of what the log is to be told of signals that were not sent. */
  async function dropped(): Promise<readonly string[]> {
    const entries = (await queue.outbox(1_000, 1_000_000 * KIB)).map((entry) => JSON.parse(entry).unsent);
    for (const { status, reason } of entries) expect([status, reason]).toEqual(["failed", "dropped: no room"]);
    return entries.map(({ item }) => item.id);
  }
  const fail = async (queueId: Arrived["queueId"]) => {
    const head = await take(queueId);
    await queue.retry(queueId, head?.id ?? "", [], now + 60_000);
  };
  const waiting = async (queueId: Arrived["queueId"]) => redis.client.zrange(keys.of(queueId).queue, "0", "-1");
  const held = async () => Number(await redis.client.hget(keys.position, "bytes"));
  const keys = deliveryKeys(options.namespace, partition);
  return { queue, partition, arrive, take, fail, dropped, waiting, held };
}

test("a lane that looks at its queue gets no payload, and loads it when it sends", async () => {
  const { queue, arrive, take } = await openQueue();
  const id = await arrive("1/a", { bytes: 400 * KIB });

  const head = await take("1/a");

  expect(JSON.stringify(head).length).toBeLessThan(500);
  expect(head).toMatchObject({ id, failures: 0, nextAt: 0 });
  expect(head?.bytes).toBeGreaterThan(400 * KIB);
  const payload = await queue.load("1/a", id);
  expect(payload).toMatchObject({ id, isBatch: false, merged: 0, attempts: [], signals: [{ id }] });
  expect(payload?.signals[0]?.state).toHaveLength(400 * KIB + 2);
});

test("the same of a batch", async () => {
  const { queue, arrive, take } = await openQueue();
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push(await arrive("1/a", { bytes: 10 * KIB, mode: "batch" }));

  const head = await take("1/a");

  expect(JSON.stringify(head).length).toBeLessThan(500);
  expect(head?.bytes).toBeGreaterThan(50 * KIB);
  const payload = await queue.load("1/a", head?.id ?? "");
  expect(payload?.signals.map(({ id }) => id)).toEqual(ids);
});

test("what was noted of a failure is there when the delivery is loaded again, and only the head is loaded", async () => {
  const { queue, arrive, take } = await openQueue();
  const id = await arrive("1/a");
  const behind = await arrive("1/a");
  await take("1/a");
  const attempts = [{ at: 1, status: 500, error: null, ms: 3 }];

  await queue.retry("1/a", id, attempts, now + 5_000);

  expect(await take("1/a")).toMatchObject({ id, failures: 1, nextAt: now + 5_000 });
  expect(await queue.load("1/a", id)).toMatchObject({ attempts });
  expect(await queue.load("1/a", behind)).toBeUndefined();
});

test("nothing is loaded by one that is not the owner any more", async () => {
  const { queue, partition, arrive, take } = await openQueue();
  const id = await arrive("1/a");
  await take("1/a");

  await openQueue({ partition });

  await expect(queue.load("1/a", id)).rejects.toBeInstanceOf(NotOwner);
  await expect(queue.express("1/a")).rejects.toBeInstanceOf(NotOwner);
  expect(await queue.isOwned()).toBe(false);
});

test("what is asked for is listed with its size, and read one by one", async () => {
  const { queue, partition, arrive } = await openQueue();
  const id = await arrive("1/a", { bytes: 50 * KIB });
  const { express } = deliveryKeys(namespace, partition).of("1/a");
  await redis.client.hset(express, { [id]: "waiting", other: "a test" });

  const asked = new Map((await queue.express("1/a")).map((each) => [each.id, each.bytes]));

  expect(asked.get(id)).toBeGreaterThan(50 * KIB);
  expect(asked.get("other")).toBe(6);
  expect(await queue.askedFor("1/a", "other")).toBe("a test");
  expect(await queue.askedFor("1/a", "third")).toBeUndefined();
});

test("the outbox is read in portions of a few bytes, one entry at least", async () => {
  const { queue, arrive } = await openQueue();
  for (let n = 0; n < 4; n++) await arrive("1/a", { bytes: 100 * KIB, refusal: "stopped" });

  const portions = [await queue.outbox(200, 250 * KIB), await queue.outbox(200, 1), await queue.outbox(3, 1_000 * KIB)];

  expect(portions.map(({ length }) => length)).toEqual([2, 1, 3]);
});

test("where there is no room for all, the newest of a failing receiver are dropped, and healthy ones lose nothing", async () => {
  const { arrive, fail, dropped, waiting, held } = await openQueue({ room: roomFor(100 * KIB) });
  const dead = [await arrive("1/dead", { bytes: 30 * KIB })];
  await fail("1/dead");
  const healthy = [await arrive("1/good", { bytes: 20 * KIB })];
  dead.push(await arrive("1/dead", { bytes: 20 * KIB }), await arrive("1/dead", { bytes: 20 * KIB }));
  expect(await dropped()).toEqual([]);

  for (let n = 0; n < 3; n++) healthy.push(await arrive("1/good", { bytes: 20 * KIB }));

  expect(await waiting("1/good")).toEqual(healthy);
  expect(await dropped()).toEqual([dead[2], dead[1], dead[0]]);
  expect(await held()).toBeLessThanOrEqual(100 * KIB);
});

test("where no receiver fails, the largest queue loses its newest", async () => {
  const { arrive, dropped, waiting } = await openQueue({ room: roomFor(100 * KIB) });
  const large = [];
  for (let n = 0; n < 4; n++) large.push(await arrive("1/large", { bytes: 20 * KIB }));

  const small = await arrive("1/small", { bytes: 20 * KIB });
  const late = await arrive("1/large", { bytes: 20 * KIB });

  expect(await waiting("1/small")).toEqual([small]);
  expect(await dropped()).toEqual([large[3], late]);
  expect(await waiting("1/large")).toEqual(large.slice(0, 3));
});

test("batches are dropped whole, and each of their signals is told of; what is being sent stays", async () => {
  let bytes = 1_000 * KIB;
  const { queue, arrive, take, fail, dropped, waiting, held } = await openQueue({ room: { of: async () => bytes } });
  const gathered = [];
  for (let n = 0; n < 3; n++) gathered.push(await arrive("1/batch", { bytes: 10 * KIB, mode: "batch" }));
  const sent = await arrive("1/sent", { bytes: 10 * KIB });
  const behind = await arrive("1/sent", { bytes: 10 * KIB });
  await fail("1/batch");
  gathered.push(await arrive("1/batch", { bytes: 10 * KIB, mode: "batch" }));
  await take("1/sent");
  await queue.load("1/sent", sent);

  bytes = 1;
  await queue.makeRoom(now);

  expect((await dropped()).toSorted()).toEqual([...gathered, behind].toSorted());
  expect(await waiting("1/batch")).toEqual([]);
  expect(await waiting("1/sent")).toEqual([sent]);
  await queue.end({ queueId: "1/sent", id: sent, subject: "t1", record: "{}" }, 0, 0);
  expect(await held()).toBe(0);
  expect(await take("1/batch")).toBeUndefined();
});

test("what was sent, given up, merged or forgotten takes no room any more", async () => {
  const { queue, arrive, take, held } = await openQueue();
  const id = await arrive("1/a", { bytes: 10 * KIB });
  await arrive("1/b", { bytes: 10 * KIB });
  await arrive("1/b", { bytes: 10 * KIB, mode: "batch" });
  const before = await held();
  await take("1/a");

  await queue.end({ queueId: "1/a", id, subject: "t1", record: "{}" }, 0, 0);

  expect(before).toBeGreaterThan(30 * KIB);
  expect(await held()).toBeGreaterThan(20 * KIB);
  expect(await held()).toBeLessThan(before - 10 * KIB);
  await queue.forget("1/b");
  expect(await held()).toBe(0);
  await queue.forget("1/a");
  await queue.forget("1/unknown");
  expect(await held()).toBe(0);
});

test("a partition that has taken the room of all makes room for another one, down to its share", async () => {
  const rooms = `${namespace}.rooms`;
  const ask = () => createRoom({ redis: redis.client, namespace: rooms, partitions: 2, maxBytes: 200 * KIB });
  // What is known of the others is a second old at most, here none.
  const room: Room = { of: (partition) => ask().of(partition) };
  const full = await openQueue({ partition: 0, room, namespace: rooms });
  const other = await openQueue({ partition: 1, room, namespace: rooms });
  for (let n = 0; n < 12; n++) await full.arrive("1/large", { bytes: 20 * KIB });
  expect((await full.dropped()).length).toBeGreaterThan(0);
  expect(await full.held()).toBeGreaterThan(150 * KIB);

  const ids = [];
  for (let n = 0; n < 4; n++) ids.push(await other.arrive("1/small", { bytes: 20 * KIB }));
  await full.queue.makeRoom(now);

  expect(await other.waiting("1/small")).toEqual(ids);
  expect(await other.dropped()).toEqual([]);
  expect((await full.held()) + (await other.held())).toBeLessThanOrEqual(200 * KIB);
  expect(await full.held()).toBeGreaterThan(80 * KIB);
});
