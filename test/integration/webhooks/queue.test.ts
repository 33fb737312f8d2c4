// The queues on a real Redis, without topics and receivers.
import { assert, expect, test } from "vitest";
import { FULL_OUTBOX_BYTES, OUTBOX_BYTES } from "../../../projections/webhooks/deliveries/outbox-bounds.ts";
import { deliveryKeys } from "../../../schemas/redis-keys.ts";
import { NotOwner } from "../../../services/common/partitions/not-owner.ts";
import type { Aftermath } from "../../../services/webhooks/queue/next-delivery.ts";
import { reportedAsEnded } from "../../../services/webhooks/queue/outbox.ts";
import { createPayloadBudget, type PayloadBudget } from "../../../services/webhooks/queue/payload-budget.ts";
import { bounds, budgetOf, KIB, now, useQueues } from "./open-queue.ts";

const { namespace, openQueue, redis } = useQueues();
const WELL: Aftermath = { failures: 0, nextAt: 0, last: { at: now, status: 200, error: null, ms: 1 } };

test("a lane that looks at its queue gets no payload, and loads it when it sends", async () => {
  const { queue, arrive, take } = await openQueue();
  const id = await arrive("1/a", { bytes: 400 * KIB });

  const head = await take("1/a");

  expect(JSON.stringify(head).length).toBeLessThan(500);
  expect(head).toMatchObject({ id, failures: 0, nextAt: 0 });
  expect(head?.bytes).toBeGreaterThan(400 * KIB);
  const payload = await queue.load("1/a", id);
  expect(payload).toMatchObject({ id, isBatch: false, merged: 0, attempts: [], signals: [{ id }] });
  assert(payload !== "deleted");
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
  expect(payload).toMatchObject({ signals: ids.map((id) => ({ id })) });
});

test("a batch is full when its signals are, with what each of them repeats in the body", async () => {
  const { arrive, ask } = await openQueue();
  const arriving = { bytes: 10 * KIB, mode: "batch", configBytes: 100 * KIB } as const;
  for (let n = 0; n < 4; n++) await arrive("1/a", arriving);

  expect((await ask("1/a", { batchMs: 60_000 })).head).toBeUndefined();
  await arrive("1/a", arriving);

  const { head } = await ask("1/a", { batchMs: 60_000 });
  expect(head).toMatchObject({ signals: 5 });
  expect(head?.bytes).toBeLessThan(100 * KIB);
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

test("a failure that is noted twice counts once", async () => {
  const { queue, arrive, take } = await openQueue();
  const id = await arrive("1/a");
  await take("1/a");
  const first = { at: 1, status: 500, error: null, ms: 3 };

  for (let n = 0; n < 2; n++) await queue.retry("1/a", id, [first], now + 5_000);

  expect(await take("1/a")).toMatchObject({ failures: 1, nextAt: now + 5_000 });
  await queue.retry("1/a", id, [first, { ...first, at: 2 }], now + 9_000);
  expect(await take("1/a")).toMatchObject({ failures: 2, nextAt: now + 9_000 });
});

test("what is given up unsent says nothing of its receiver: the failures and the pause stay", async () => {
  const { queue, arrive, take } = await openQueue();
  const [old, next] = [await arrive("1/a"), await arrive("1/a")];
  const attempt = { at: now, status: null, error: "timeout", ms: 9_000 };
  await take("1/a");
  await queue.retry("1/a", old, [attempt], now + 60_000);
  await queue.end(
    { queueId: "1/a", id: old, subject: "", record: "{}" },
    { failures: 7, nextAt: now + 60_000, last: attempt },
  );
  const before = await take("1/a");

  await queue.end({ queueId: "1/a", id: next, subject: "", record: "{}" }, undefined);

  const last = await arrive("1/a");
  expect(before).toMatchObject({ id: next, failures: 7, nextAt: now + 60_000, wasSlow: true });
  expect(await take("1/a")).toMatchObject({ id: last, failures: 7, nextAt: now + 60_000, wasSlow: true });
});

test("the id of a batch is that of exactly its signals, also when they are gathered anew", async () => {
  async function gather(...ids: readonly string[]) {
    const { arrive, take } = await openQueue();
    for (const id of ids) await arrive("1/a", { id, mode: "batch" });
    return (await take("1/a"))?.id;
  }

  const known = await gather("x", "y");

  expect(await gather("x", "y")).toBe(known);
  expect(await gather("x", "y", "z")).not.toBe(known);
});

test("the next owner knows that the last attempt was slow, until one is quick or the subscription changes", async () => {
  const { queue, partition, arrive, take } = await openQueue();
  const ids = [await arrive("1/a"), await arrive("1/a"), await arrive("1/a"), await arrive("1/a")];
  const delivered = (nth: number) => ({ queueId: "1/a", id: ids[nth] ?? "", subject: "t1", record: "{}" }) as const;
  const after = (ms: number): Aftermath => ({ ...WELL, last: { at: now, status: 200, error: null, ms } });

  expect(await take("1/a")).toMatchObject({ id: ids[0], wasSlow: false });
  await queue.end(delivered(0), after(9_000));
  const next = await openQueue({ partition });
  expect(await next.take("1/a")).toMatchObject({ id: ids[1], wasSlow: true });
  await next.queue.end(delivered(1), after(20));
  expect(await next.take("1/a")).toMatchObject({ id: ids[2], wasSlow: false });
  await next.queue.end(delivered(2), after(9_000));
  expect((await next.ask("1/a", { version: "v2" })).head).toMatchObject({ id: ids[3], wasSlow: false });
});

test("a clock that was set back holds up neither a retry nor a batch", async () => {
  const { queue, arrive, ask } = await openQueue();
  const id = await arrive("1/a");
  await arrive("1/b", { mode: "batch" });
  await ask("1/a");
  await queue.retry("1/a", id, [{ at: now, status: 500, error: null, ms: 3 }], now + 5_000);
  expect((await ask("1/a")).head).toMatchObject({ id, nextAt: now + 5_000 });
  expect(await ask("1/b", { batchMs: 30_000 })).toEqual({ batchAt: now + 30_000, head: undefined });

  const back = now - 3_600_000;

  expect((await ask("1/a", { now: back })).head).toMatchObject({ id, failures: 1, nextAt: 0 });
  expect(await ask("1/b", { now: back, batchMs: 30_000 })).toMatchObject({ batchAt: undefined, head: {} });
});

test("what came while the broker's clock was ahead is not of the future, and neither is what comes behind it", async () => {
  const { queue, arrive, take } = await openQueue();
  const early = await arrive("1/a", { createdAt: now + 3_600_000 });
  const next = await arrive("1/a");

  const first = await take("1/a");
  await queue.end({ queueId: "1/a", id: early, subject: "t1", record: "{}" }, WELL);
  const second = await take("1/a");

  expect([first?.id, second?.id]).toEqual([early, next]);
  for (const head of [first, second]) expect(head?.createdAt).toBeLessThanOrEqual(now + 1_000);
});

test("a queue that ran empty while all clocks were ahead begins anew when they are set back", async () => {
  const { queue, arrive, take } = await openQueue();
  const ahead = now + 3_600_000;
  const early = await arrive("1/a", { createdAt: ahead, clock: ahead });
  await queue.end({ queueId: "1/a", id: early, subject: "t1", record: "{}" }, WELL);

  const id = await arrive("1/a");

  expect(await take("1/a")).toMatchObject({ id, createdAt: now });
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
  await redis.hset(express, { [id]: "waiting", other: "a test" });

  const listed = await queue.express("1/a");
  const asked = new Map(listed.map((each) => [each.id, each.bytes]));

  expect(asked.get(id)).toBeGreaterThan(50 * KIB);
  expect(asked.get("other")).toBe(6);
  expect(new Map(listed.map((each) => [each.id, each.signals]))).toEqual(new Map([[id, 1]]).set("other", 0));
  expect(await queue.requestOf("1/a", "other")).toBe("a test");
  expect(await queue.requestOf("1/a", "third")).toBeUndefined();
});

test("the outbox is read in portions of a few bytes, one entry at least", async () => {
  const { queue, arrive } = await openQueue();
  for (let n = 0; n < 4; n++) await arrive("1/a", { bytes: 100 * KIB, refusal: "stopped" });

  const portions = [await queue.outbox(200, 250 * KIB), await queue.outbox(200, 1), await queue.outbox(3, 1_000 * KIB)];

  expect(portions.map(({ length }) => length)).toEqual([2, 1, 3]);
});

test("what is to be told is counted until it has been told", async () => {
  const { queue, arrive, outboxBytes } = await openQueue();
  for (let n = 0; n < 4; n++) await arrive("1/a", { bytes: 100 * KIB, refusal: "stopped" });
  expect(await outboxBytes()).toBeGreaterThan(400 * KIB);

  const first = await queue.outbox(3, 1_000 * KIB);
  await queue.trimOutbox(first.length, first[0] ?? "");
  await queue.trimOutbox(first.length, first[0] ?? "");

  const rest = await queue.outbox(3, 1_000 * KIB);
  expect(rest).toHaveLength(1);
  expect(await outboxBytes()).toBe(rest[0]?.length);
  await queue.trimOutbox(1, rest[0] ?? "");
  expect(await outboxBytes()).toBe(0);
});

test("while too much is to be told, payloads are left out of it", async () => {
  const { queue, partition, arrive, take, fillOutbox } = await openQueue();
  const sent = await arrive("1/a");
  const asked = await arrive("1/a");
  await take("1/a");
  await redis.hset(deliveryKeys(namespace, partition).of("1/a").express, asked, "{}");
  await fillOutbox(OUTBOX_BYTES + 1);
  const failed = [await arrive("1/a", { bytes: 100 * KIB, refusal: "stopped" })];
  failed.push(await arrive("1/a", { bytes: 0, refusal: "stopped" }));
  const attempts = [{ at: 1, status: 500, error: ',"body":","emitReason":', ms: 3 }];
  const record = (id: string) =>
    reportedAsEnded({
      body: JSON.stringify({ state: ',"body":', is: { it: "}}" } }),
      ...{ id, subscriptionId: "a", generation: 1, signalIds: [id], signal: "track_created", attempts },
      ...{ status: "failed", createdAt: 1, endedAt: 2 },
    });

  await queue.end({ queueId: "1/a", id: sent, subject: "t1", record: record(sent) }, WELL);
  await queue.endExpress({ queueId: "1/a", id: asked, subject: "t1", record: record(asked) }, true);

  const entries = (await queue.outbox(200, 1_000 * KIB)).map((entry) => JSON.parse(entry));
  expect(entries.map(({ unsent, ended }) => unsent?.item.id ?? ended.id)).toEqual([...failed, sent, asked]);
  expect(entries.slice(0, 2)).toMatchObject([
    { unsent: { reason: "stopped", item: { state: "", subjectId: "t1", emitReason: null } } },
    { unsent: { reason: "stopped", item: { state: "", signal: "track_created", createdAt: now } } },
  ]);
  expect(entries.slice(2)).toEqual(
    [sent, asked].map((id) => ({ ended: { ...JSON.parse(record(id)).ended, body: "" } })),
  );
});

test("a merged update is told of without its state, since a newer one was sent", async () => {
  const { queue, arrive, outboxBytes } = await openQueue({ bounds: { ...bounds, lagMs: -1 } });
  const first = await arrive("1/a", { isUpdate: true, bytes: 100 * KIB });

  await arrive("1/a", { isUpdate: true });

  const [reported = ""] = await queue.outbox(10, 1_000 * KIB);
  expect(JSON.parse(reported).unsent).toMatchObject({
    status: "merged",
    item: { id: first, state: "", subjectId: "t1" },
  });
  expect(await outboxBytes()).toBeLessThan(KIB);
});

test("while twice as much is to be told, no signals are taken in, and none is lost", async () => {
  const { arrive, waiting, fillOutbox } = await openQueue();
  await fillOutbox(FULL_OUTBOX_BYTES + 1);

  await expect(arrive("1/a")).rejects.toThrow("the delivery log must be told of too much before");

  expect(await waiting("1/a")).toEqual([]);
  await fillOutbox(-OUTBOX_BYTES);
  const id = await arrive("1/a", { from: 0 });
  expect(await waiting("1/a")).toEqual([id]);
});

test("where there is no room for all, a receiver that failed loses nothing to larger queues of those that answer", async () => {
  const { arrive, fail, dropped, waiting, held } = await openQueue({ payloadBudget: budgetOf(100 * KIB) });
  const failed = [await arrive("1/failed", { bytes: 10 * KIB }), await arrive("1/failed", { bytes: 10 * KIB })];
  await fail("1/failed");
  const large = [];

  for (let n = 0; n < 5; n++) large.push(await arrive("1/large", { bytes: 20 * KIB }));

  expect(await waiting("1/failed")).toEqual(failed);
  expect(await dropped()).toEqual(large.slice(3));
  expect(await held()).toBeLessThanOrEqual(100 * KIB);
});

test("a stopped subscription makes room first, however little waits for it, until it goes on", async () => {
  const { arrive, take, dropped, waiting } = await openQueue({ payloadBudget: budgetOf(100 * KIB) });
  const stopped = [await arrive("1/stopped", { bytes: 20 * KIB }), await arrive("1/stopped", { bytes: 20 * KIB })];
  await take("1/stopped", true);
  const large = [];
  for (let n = 0; n < 3; n++) large.push(await arrive("1/large", { bytes: 20 * KIB }));
  expect(await dropped()).toEqual([stopped[1]]);

  await take("1/stopped");
  large.push(await arrive("1/large", { bytes: 20 * KIB }));

  expect(await waiting("1/stopped")).toEqual([stopped[0]]);
  expect(await dropped()).toEqual([stopped[1], large[3]]);
});

test("room is made for all that arrives at once, however many signals must go", async () => {
  const { queue, arrive, arriveAt, waiting, held } = await openQueue({ payloadBudget: budgetOf(200 * KIB) });
  const kept = await arrive("1/kept", { bytes: 10 * KIB });
  const many = Array.from({ length: 3_000 }, (_, i) => `1/many${i % 5}` as const);

  await arriveAt(many);

  expect(await held()).toBeLessThanOrEqual(200 * KIB);
  expect(await waiting("1/kept")).toEqual([kept]);
  await Promise.all([...new Set(many), "1/kept" as const].map((id) => queue.forget(id)));
  expect(await held()).toBe(0);
});

test("a signal that arrives twice takes the room of one, in a batch too", async () => {
  const { queue, arrive, take, held } = await openQueue();
  const id = await arrive("1/a", { bytes: 10 * KIB });
  const gathered = await arrive("1/b", { bytes: 10 * KIB, mode: "batch" });
  const before = await held();

  await arrive("1/a", { id, bytes: 10 * KIB });
  await arrive("1/b", { id: gathered, bytes: 10 * KIB, mode: "batch" });

  expect(Math.abs((await held()) - before)).toBeLessThan(100);
  const batch = await take("1/b");
  expect(await queue.load("1/b", batch?.id ?? "")).toMatchObject({ signals: [{ id: gathered }] });
  await queue.end({ queueId: "1/a", id, subject: "t1", record: "{}" }, WELL);
  await queue.forget("1/b");
  expect(await held()).toBe(0);
});

test("an update that would exceed the bytes of its queue is not merged, but fails as any other signal", async () => {
  const { queue, arrive, waiting } = await openQueue({ bounds: { ...bounds, lagMs: -1, maxBytes: 100 * KIB } });
  await arrive("1/a", { isUpdate: true });
  const second = await arrive("1/a", { isUpdate: true, bytes: 90 * KIB });

  const third = await arrive("1/a", { isUpdate: true, bytes: 110 * KIB });

  expect(await waiting("1/a")).toEqual([second]);
  const reported = (await queue.outbox(10, 1_000 * KIB)).map((entry) => JSON.parse(entry).unsent);
  expect(reported.map(({ status, reason }) => [status, reason])).toEqual([
    ["merged", null],
    ["failed", "the queue is full"],
  ]);
  expect(reported[1].item.id).toBe(third);
});

test("the largest queue loses its newest", async () => {
  const { arrive, dropped, waiting } = await openQueue({ payloadBudget: budgetOf(100 * KIB) });
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
  const { queue, arrive, take, fail, dropped, waiting, held } = await openQueue({
    payloadBudget: { of: async () => bytes },
  });
  const gathered = [];
  for (let n = 0; n < 3; n++) gathered.push(await arrive("1/batch", { bytes: 10 * KIB, mode: "batch" }));
  const sent = await arrive("1/sent", { bytes: 10 * KIB });
  const behind = await arrive("1/sent", { bytes: 10 * KIB });
  await fail("1/batch");
  gathered.push(await arrive("1/batch", { bytes: 10 * KIB, mode: "batch" }));
  await take("1/sent");
  await queue.load("1/sent", sent);

  bytes = 1;
  await queue.evict(now);

  expect((await dropped()).toSorted()).toEqual([...gathered, behind].toSorted());
  expect(await waiting("1/batch")).toEqual([]);
  expect(await waiting("1/sent")).toEqual([sent]);
  await queue.end({ queueId: "1/sent", id: sent, subject: "t1", record: "{}" }, WELL);
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

  await queue.end({ queueId: "1/a", id, subject: "t1", record: "{}" }, WELL);

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
  const ask = () => createPayloadBudget({ redis, namespace: rooms, partitions: 2, maxBytes: 200 * KIB });
  // A budget may know the bytes of the other partitions as of a second ago. A new one for each call knows the present
  // ones.
  const payloadBudget: PayloadBudget = { of: (partition) => ask().of(partition) };
  const full = await openQueue({ partition: 0, payloadBudget, namespace: rooms });
  const other = await openQueue({ partition: 1, payloadBudget, namespace: rooms });
  for (let n = 0; n < 12; n++) await full.arrive("1/large", { bytes: 20 * KIB });
  expect((await full.dropped()).length).toBeGreaterThan(0);
  expect(await full.held()).toBeGreaterThan(150 * KIB);

  const ids = [];
  for (let n = 0; n < 4; n++) ids.push(await other.arrive("1/small", { bytes: 20 * KIB }));
  await full.queue.evict(now);

  expect(await other.waiting("1/small")).toEqual(ids);
  expect(await other.dropped()).toEqual([]);
  expect((await full.held()) + (await other.held())).toBeLessThanOrEqual(200 * KIB);
  expect(await full.held()).toBeGreaterThan(80 * KIB);
});

test("the lengths of queues are those of the deliveries that wait, with the age of the oldest signal", async () => {
  const { queue, arrive, take } = await openQueue();
  const first = await arrive("1/a", { createdAt: now - 60_000 });
  await arrive("1/a");
  await arrive("1/b");
  await arrive("1/c", { mode: "batch" });
  const ids = ["1/a", "1/b", "1/c", "1/nobody"] as const;

  const [a, ...others] = await queue.lengths(ids);

  expect(a?.deliveries).toBe(2);
  expect(Math.abs((a?.oldestAt ?? 0) - (now - 60_000))).toBeLessThan(1_000);
  expect(others.map(({ deliveries }) => deliveries)).toEqual([1, 0, 0]);
  expect(others.at(-1)?.oldestAt).toBeUndefined();
  await take("1/a");
  await queue.end({ queueId: "1/a", id: first, subject: "", record: "" }, WELL);
  expect((await queue.lengths(["1/a"]))[0]?.deliveries).toBe(1);
});
