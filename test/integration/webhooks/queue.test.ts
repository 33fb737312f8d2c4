// The queues on a real Redis, without topics and receivers.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseQueueId } from "../../../projections/deliveries/queue-id.ts";
import { causeOf, waitingSignal } from "../../../projections/deliveries/waiting.ts";
import { deliveryKeys } from "../../../schemas/redis-keys.ts";
import { redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis, type RedisPart, redisDatabase } from "../../../services/common/redis.ts";
import { type Arrived, createQueue, NotOwner } from "../../../services/webhooks/queue.ts";
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

let redis: RedisPart;
let partitions = 0;

beforeAll(async () => {
  redis = createRedis(redisDatabase(redisEnv.parse(env).REDIS_URL, 1), createLog("test", "silent"));
  await redis.start();
});

afterAll(async () => {
  const left = await redis.client.keys(`${namespace}:*`);
  if (left.length > 0) await redis.client.unlink(left);
  await redis.stop();
});

type Given = Partial<Pick<Arrived, "mode" | "refusal">> & { readonly bytes?: number };

/** Of a partition that no other test uses. */
async function openQueue(partition = partitions++) {
  let offset = 0;
  const queue = createQueue({ redis: redis.client, namespace, partition, owner: randomUUID(), bounds });
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
  return { queue, partition, arrive, take };
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

  await openQueue(partition);

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
