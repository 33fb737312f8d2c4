// Waiting signals and requested deliveries on a real Redis, without topics and receivers.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { FULL_OUTBOX_BYTES } from "../../../projections/webhooks/deliveries/outbox-bounds.ts";
import { type Generation, queueIdOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import type { RequestedDelivery } from "../../../projections/webhooks/deliveries/requested-delivery.ts";
import { causeOf, waitingSignal } from "../../../projections/webhooks/deliveries/waiting.ts";
import { deliveryKeys } from "../../../schemas/redis-keys.ts";
import { createLog } from "../../../services/common/log.ts";
import { createMarkDeleted } from "../../../services/state-api/deliveries/mark-deleted.ts";
import { createPending } from "../../../services/state-api/deliveries/pending.ts";
import { createQueue } from "../../../services/webhooks/queue/queue.ts";
import { useRedis } from "../../support/running/redis.ts";
import { signalRaised } from "../../support/scenes/signals.ts";

const { client: redis, namespace } = useRedis("pending", 1);
const KIB = 1024;
const MIB = 1024 * KIB;
const bounds = { lagMs: 86_400_000, maxWaiting: 1_000, maxBytes: 64 * MIB, batchSignals: 2, batchBytes: MIB };
const attempts = [{ at: 1, status: 500, error: 'not ,"body":"', ms: 3 }];

let partitions = 0;

/** Opens the queue of a partition that no other test uses. */
async function open() {
  const partition = partitions++;
  const payloadBudget = { of: async () => Number.MAX_SAFE_INTEGER };
  const queue = createQueue({ redis, namespace, partition, bounds, payloadBudget, owner: randomUUID() });
  await queue.claim();
  await queue.begin(0, "log");
  const pending = createPending({ redis, namespace, partitionOf: () => partition });
  let offset = 0;
  async function arrive(of: Generation, mode: "streaming" | "batch", bytes: number) {
    const from = offset;
    offset += 1;
    const raised = signalRaised(of.subscriptionId, offset, { state: JSON.stringify("x".repeat(bytes)) });
    const waiting = waitingSignal(raised, Date.now());
    const cause = causeOf(raised, new Map());
    const signal = { queueId: queueIdOf(of), mode, cause, waiting, refusal: undefined, configBytes: 0 };
    await queue.accept({ from, to: offset, now: Date.now(), signals: [signal] });
    return raised.id;
  }
  /** Acts as if so many bytes waited to be written to the delivery log. */
  const fillOutbox = (bytes: number) =>
    redis.hincrby(deliveryKeys(namespace, partition).position, "outboxBytes", bytes);
  const askedBytes = async () => Number(await redis.hget(deliveryKeys(namespace, partition).position, "askedBytes"));
  const markDeleted = createMarkDeleted({
    redis,
    namespace,
    partitionOf: () => partition,
    log: createLog("test", "silent"),
  });
  return { queue, pending, arrive, askedBytes, fillOutbox, markDeleted };
}

const of = (subscriptionId: string): Generation => ({ subscriptionId, generation: 1 });

function ended(subscription: Generation, bytes: number): RequestedDelivery {
  const delivery = {
    // A caller may give the members in any order: here the body is not last.
    body: JSON.stringify({ state: "x".repeat(bytes) }),
    ...{ ...subscription, id: "d", signalIds: ["d"], signal: "track_created", status: "failed" as const },
    ...{ createdAt: 1_000, endedAt: 2_000, attempts },
  };
  return { kind: "ended", createdAt: 1_000, delivery };
}

const endedOf = (subscription: Generation, id: string) => ({
  ...{ queueId: queueIdOf(subscription), id, subject: "", record: "" },
});

test("the list has the names of signals, and moves no payloads", async () => {
  const { queue, pending, arrive } = await open();
  const subscription = of("a");
  const ids = [];
  for (let n = 0; n < 30; n++) ids.push(await arrive(subscription, "streaming", 100 * KIB));
  for (let n = 0; n < 2; n++) await arrive(subscription, "batch", 100 * KIB);
  await pending.request(subscription, "again", ended(subscription, 100 * KIB));
  await pending.request(subscription, "test", { kind: "test", createdAt: 500 });
  const before = redis.stream.bytesRead;

  const found = await pending.list({ ...subscription, after: undefined, limit: 201 });

  expect(redis.stream.bytesRead - before).toBeLessThan(100 * KIB);
  const names = new Map(found.map(({ id, signal }) => [id, signal]));
  expect(names.size).toBe(33);
  expect(ids.map((id) => names.get(id))).toEqual(ids.map(() => "track_created"));
  expect([...names].filter(([id]) => id.startsWith("batch_")).map(([, name]) => name)).toEqual(["batch"]);
  expect(found.at(-2)).toEqual({ id: "again", createdAt: 1_000, signal: "track_created", attempts });
  expect(found.at(-1)).toEqual({ id: "test", createdAt: 500, signal: "test", attempts: [] });
  expect(await pending.find(subscription, ids[0] ?? "")).toMatchObject({ id: ids[0], signal: "track_created" });
  expect(JSON.parse((await queue.requestOf("1/a", "again")) ?? "")).toEqual(ended(subscription, 100 * KIB));
});

test("what is asked of one subscription has bounds in number and bytes, and room again when it is tried", async () => {
  const { queue, pending, askedBytes } = await open();
  const subscription = of("a");
  const large = ended(subscription, 400 * KIB);

  const first = [];
  for (const id of ["1", "2", "3", "2"]) first.push(await pending.request(subscription, id, large));

  expect(first).toEqual(["asked", "asked", "full", "asked"]);
  expect(await pending.request(of("b"), "huge", ended(of("b"), 2 * MIB))).toBe("asked");
  expect(await pending.request(of("b"), "more", { kind: "test", createdAt: 1 })).toBe("full");
  await queue.endExpress(endedOf(subscription, "1"), false);
  expect(await pending.request(subscription, "3", large)).toBe("asked");
  for (const id of ["2", "3", "3"]) await queue.endExpress(endedOf(subscription, id), false);
  await queue.endExpress(endedOf(of("b"), "huge"), false);
  expect(await askedBytes()).toBe(0);
  for (let n = 0; n < 100; n++) await pending.request(subscription, `${n}`, { kind: "test", createdAt: n });
  expect(await pending.request(subscription, "100", { kind: "test", createdAt: 1 })).toBe("full");
});

test("so has what is asked of all subscriptions together, and one that is forgotten leaves its room", async () => {
  const { queue, pending, askedBytes } = await open();
  const asked = [];
  for (let n = 0; n < 20; n++) asked.push(await pending.request(of(`${n}`), "d", ended(of(`${n}`), 900 * KIB)));

  expect(new Set(asked.slice(0, 18))).toEqual(new Set(["asked"]));
  expect(asked.slice(18)).toEqual(["all full", "all full"]);
  expect(await askedBytes()).toBeLessThanOrEqual(16 * MIB);

  await queue.forget("1/0");
  expect(await pending.request(of("18"), "d", ended(of("18"), 900 * KIB))).toBe("asked");
});

test("nothing is asked for while the delivery log must be told of too much before", async () => {
  const { pending, fillOutbox } = await open();
  const ask = (id: string) => pending.request(of("a"), id, { kind: "test", createdAt: 1 });
  expect(await ask("before")).toBe("asked");
  await fillOutbox(FULL_OUTBOX_BYTES + 1);

  expect(await ask("during")).toBe("log behind");

  expect(await ask("before")).toBe("asked");
  await fillOutbox(-1);
  expect(await ask("during")).toBe("asked");
});

test("of a deleted subscription nothing is loaded any more, of a later one with its id all", async () => {
  const { queue, pending, arrive, markDeleted } = await open();
  const former = { subscriptionId: "s", generation: 1 };
  const latter = { subscriptionId: "s", generation: 2 };
  const load = async (each: Generation, id: string) => {
    await queue.take({ queueId: queueIdOf(each), now: Date.now(), version: "v", batchMs: undefined, isStopped: false });
    return queue.load(queueIdOf(each), id);
  };
  for (const each of [former, latter]) await pending.request(each, "test", { kind: "test", createdAt: 1 });
  const [first, second] = [await arrive(former, "streaming", 1), await arrive(latter, "streaming", 1)];

  await markDeleted(former);

  expect(await load(former, first)).toBe("deleted");
  expect(await queue.requestOf(queueIdOf(former), "test")).toBeUndefined();
  expect(await load(latter, second)).toMatchObject({ id: second });
  expect(await queue.requestOf(queueIdOf(latter), "test")).toBeDefined();
});
