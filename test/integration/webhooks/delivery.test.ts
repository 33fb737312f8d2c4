import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { DeliveryEnded } from "../../../schemas/records/delivery-ended.ts";
import { answering, type Behaviour, startReceiver } from "../../support/clients/receivers.ts";
import { until } from "../../support/running/processes.ts";
import { noFilters } from "../../support/scenes/no-filters.ts";
import { createWebhooks, type Webhooks } from "./installation.ts";

let webhooks: Webhooks;

beforeAll(async () => {
  webhooks = await createWebhooks({
    WEBHOOKS_STOP_AFTER_FAILURES: "8",
    WEBHOOKS_MERGE_AFTER_MS: "200",
    WEBHOOKS_QUEUE_SIGNALS: "20",
    WEBHOOKS_ALL_QUEUES_BYTES: String(2 * 1024 * 1024),
  });
  webhooks.start();
});
afterAll(() => webhooks.remove());

async function receiver(behaviour?: Behaviour) {
  const started = await startReceiver(behaviour);
  onTestFinished(started.close);
  return started;
}

/** Resolves when the log has so many of a subscription's. */
async function logged(id: string, count: number): Promise<readonly DeliveryEnded[]> {
  let found: readonly DeliveryEnded[] = [];
  await until(async () => {
    found = (await webhooks.deliveries()).filter(({ subscriptionId }) => subscriptionId === id);
    return found.length >= count;
  });
  return found;
}

test("signals come in order, each with its subject, names and a signature for every valid secret", async () => {
  const hook = await receiver();
  const [newer, older] = [webhooks.newSecret(), webhooks.newSecret()];
  await webhooks.subscribe("order", hook.url, { secrets: [newer, older] });

  const raised = await webhooks.raise("order", [
    { signal: "track_created" },
    { signal: "track_updated" },
    { signal: "track_expired", expiredBy: "event_time" },
  ]);

  await until(() => hook.received.length === 3);
  expect(hook.received.map(({ id }) => id)).toEqual(raised.map(({ id }) => id));
  for (const { headers, text } of hook.received) {
    const signed = headers as Record<string, string>;
    expect(headers["content-type"]).toMatch(/^application\/json/);
    for (const secret of [newer, older]) expect(new Webhook(secret).verify(text, signed)).toEqual(JSON.parse(text));
    expect(() => new Webhook(webhooks.newSecret()).verify(text, signed)).toThrow();
  }
  expect(JSON.parse(hook.received[2]?.text ?? "")).toMatchObject({
    signal: "track_expired",
    expired_by: "event_time",
    track_state: { track_id: "t1", datasource_id: "cam", device_id: null },
    trigger_config: { mode: "streaming", signal_type: "track_state", workflow: { id: "w1", name: "gates" } },
  });
  const log = await logged("order", 3);
  expect(log.map(({ id, status, signalIds }) => [id, status, signalIds])).toEqual(
    raised.map(({ id }) => [id, "delivered", [id]]),
  );
  expect(log[0]?.body).toBe(hook.received[0]?.text);
});

test("a failure is repeated with the same id until it succeeds, and the next signal waits for it", async () => {
  const hook = await receiver((response, nth, request) => answering(nth < 3 ? 500 : 200)(response, nth, request));
  await webhooks.subscribe("retry", hook.url);

  const [first, second] = await webhooks.raise("retry", [{}, {}]);

  await until(() => hook.delivered().length === 2);
  expect(hook.received.map(({ id }) => id)).toEqual([first?.id, first?.id, first?.id, first?.id, second?.id]);
  const log = await logged("retry", 2);
  expect(log[0]?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
});

test("a receiver that asks for a pause is not asked again before", async () => {
  const hook = await receiver((response, nth, request) =>
    nth === 0 ? answering(503, { "retry-after": "1" })(response, nth, request) : answering(200)(response, nth, request),
  );
  await webhooks.subscribe("pause", hook.url);

  await webhooks.raise("pause", [{}]);

  await until(() => hook.delivered().length === 1);
  const [first, second] = hook.received;
  // The pauses of this installation end at 200 ms, so also the one that is asked for.
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(195);
});

test("410 stops the subscription; what waits is sent when it is set again", async () => {
  const hook = await receiver(answering(410));
  const set = await webhooks.subscribe("gone", hook.url);
  await webhooks.raise("gone", [{}, {}]);

  await until(async () => (await webhooks.stopped()).some(({ id }) => id === "gone"));
  expect((await webhooks.stopped()).filter(({ id }) => id === "gone")).toMatchObject([
    { version: set.version, reason: "gone" },
  ]);
  expect(hook.received).toHaveLength(1);
  await webhooks.raise("gone", [{ subjectId: "late" }]);
  expect(await logged("gone", 1)).toMatchObject([
    { status: "failed", attempts: [{ error: "deliveries are stopped: gone" }] },
  ]);

  hook.behave(answering(200));
  await webhooks.subscribe("gone", hook.url);
  await until(() => hook.delivered().length === 2);
});

test("what waits goes to the new address when a subscription is set again, also with another token", async () => {
  const former = await receiver(answering(410));
  await webhooks.subscribe("moved", former.url, { tokenId: "former" });
  const raised = await webhooks.raise("moved", [{}, {}]);
  await until(async () => (await webhooks.stopped()).some(({ id }) => id === "moved"));

  const latter = await receiver();
  await webhooks.subscribe("moved", latter.url, { tokenId: "latter" });

  await until(() => latter.delivered().length === 2);
  expect(latter.delivered().map(({ id }) => id)).toEqual(raised.map(({ id }) => id));
  expect(former.received).toHaveLength(1);
});

test("a long run of failures stops the subscription and says why", async () => {
  const hook = await receiver(answering(500));
  await webhooks.subscribe("failing", hook.url);
  await webhooks.raise("failing", [{}]);

  const found = await until(async () => (await webhooks.stopped()).find(({ id }) => id === "failing"));
  expect(found).toMatchObject({ reason: "failing", detail: "8 in a row: the receiver answered 500" });
  expect(hook.received).toHaveLength(8);
});

test("a revoked token stops the subscription at once, with nothing to deliver", async () => {
  const hook = await receiver();
  const token = await webhooks.tokens.create("caller", ["read"]);
  await webhooks.subscribe("revoked", hook.url, { tokenId: token.id });
  await webhooks.raise("revoked", [{}]);
  await until(() => hook.delivered().length === 1);

  await webhooks.tokens.revoke(token.id);

  const found = await until(async () => (await webhooks.stopped()).find(({ id }) => id === "revoked"));
  expect(found).toMatchObject({ reason: "token_revoked" });
});

test("what waits for a deleted subscription is never sent, also when another one gets its id", async () => {
  const hook = await receiver(answering(500));
  const set = await webhooks.subscribe("deleted", hook.url);
  await webhooks.raise("deleted", [{}, {}, {}]);
  await until(() => hook.received.length > 0);

  await webhooks.write({ type: "SubscriptionSet", event: { ...set, deleted: true } });
  await until(async () => (await webhooks.keys()).every((key) => !key.endsWith("/deleted")));
  hook.behave(answering(200));
  await webhooks.subscribe("deleted", hook.url, { createdAt: set.createdAt + 1 });
  const [after] = await webhooks.raise("deleted", [{}]);

  await until(() => hook.delivered().length > 0);
  expect(hook.delivered().map(({ id }) => id)).toEqual([after?.id]);
});

test("what was raised for a deleted subscription never reaches another one with its id, whichever comes first", async () => {
  const hook = await receiver();
  const former = await webhooks.subscribe("successor", hook.url);
  const [before] = await webhooks.raise("successor", [{}]);
  if (before === undefined) throw new Error("nothing was raised");
  await until(() => hook.received.length === 1);
  const generation = former.createdAt + 1;

  // The signal is of the same detection, and the service reads it before the subscription that it is for.
  const [early] = await webhooks.raise("successor", [{ generation, cause: before.cause }]);
  await webhooks.write({ type: "SubscriptionSet", event: { ...former, deleted: true } });
  await webhooks.subscribe("successor", hook.url, { createdAt: generation });
  await until(() => hook.received.length === 2);
  await webhooks.raise("successor", [{ generation: former.createdAt }]);
  const [last] = await webhooks.raise("successor", [{}]);

  await until(() => hook.received.some(({ id }) => id === last?.id));
  expect(hook.received.map(({ id }) => id)).toEqual([before.id, early?.id, last?.id]);
});

test("a batch is one array, sent when its interval is over; an empty interval sends nothing", async () => {
  const hook = await receiver();
  await webhooks.subscribe("batch", hook.url, { mode: "batch", batchInterval: 1 });

  const raised = await webhooks.raise("batch", [
    { signal: "track_expired", subjectId: "a" },
    { signal: "track_expired", subjectId: "b" },
  ]);

  await until(() => hook.received.length === 1);
  const [received] = hook.received;
  expect(JSON.parse(received?.text ?? "")).toMatchObject([
    { signal: "track_expired", track_state: { track_id: "a" }, trigger_config: { mode: "batch", batch_interval: 1 } },
    { signal: "track_expired", track_state: { track_id: "b" } },
  ]);
  expect(await logged("batch", 1)).toMatchObject([
    { id: received?.id, signal: "batch", status: "delivered", signalIds: raised.map(({ id }) => id) },
  ]);
});

test("a batch whose subscription is set again with a filter of a million characters is delivered without that", async () => {
  // Also while this process has yet to read the longer filter.
  const hook = await receiver((response, nth, request) => {
    const { filters, truncated } = JSON.parse(request.text)[0].trigger_config;
    return answering(filters.tags.length > 0 || truncated ? 200 : 503)(response, nth, request);
  });
  const of = { mode: "batch", batchInterval: 1 } as const;
  await webhooks.subscribe("long-filter", hook.url, of);
  const raised = await webhooks.raise(
    "long-filter",
    Array.from({ length: 15 }, () => ({})),
  );
  await until(() => hook.received.length > 0);

  const tags = Array.from({ length: 1_000 }, (_, i) => `${i}`.padEnd(1_000, "x"));
  await webhooks.subscribe("long-filter", hook.url, { ...of, filters: { ...noFilters, tags } });

  await until(() => hook.delivered().length === 1);
  const items = JSON.parse(hook.delivered()[0]?.text ?? "");
  expect(items).toHaveLength(raised.length);
  expect(items[0].trigger_config).toMatchObject({ filters: { tags: [] }, truncated: true });
});

test("a delivery that cannot be made fails alone, and the log says so", async () => {
  const hook = await receiver();
  await webhooks.subscribe("unmade", hook.url);

  const [unmade, next] = await webhooks.raise("unmade", [{ state: "null" }, {}]);

  await until(() => hook.delivered().length === 1);
  expect(hook.received.map(({ id }) => id)).toEqual([next?.id]);
  expect(await logged("unmade", 2)).toMatchObject([
    { id: unmade?.id, status: "failed", attempts: [{ error: expect.stringContaining("cannot be made") }] },
    { id: next?.id, status: "delivered" },
  ]);
});

test("updates of a receiver that lags are merged per track, firsts and lasts never; all are in the log", async () => {
  const hook = await receiver(() => undefined);
  await webhooks.subscribe("lag", hook.url);
  const first = await webhooks.raise("lag", [
    { subjectId: "a" },
    { subjectId: "a", signal: "track_updated" },
    { subjectId: "b" },
    { subjectId: "b", signal: "track_updated" },
  ]);
  // Long enough to be behind: the head waits since then.
  await until(() => hook.received.length > 0 && Date.now() - (hook.received[0]?.at ?? 0) > 300);
  const second = await webhooks.raise("lag", [
    { subjectId: "a", signal: "track_updated" },
    { subjectId: "b", signal: "track_updated" },
    { subjectId: "b", signal: "track_expired" },
    { subjectId: "b", signal: "track_created" },
    { subjectId: "b", signal: "track_updated" },
    { subjectId: "a", signal: "track_updated" },
  ]);

  await until(async () => (await logged("lag", 3)).length === 3);
  hook.behave(answering(200));

  await until(() => hook.delivered().length === 7);
  const reported = hook.delivered().map(({ text }) => JSON.parse(text));
  expect(reported.map(({ signal, track_state: { track_id }, merged }) => [signal, track_id, merged])).toEqual([
    ["track_created", "a", undefined],
    ["track_updated", "a", 2],
    ["track_created", "b", undefined],
    ["track_updated", "b", 1],
    ["track_expired", "b", undefined],
    ["track_created", "b", undefined],
    ["track_updated", "b", undefined],
  ]);
  const merged = (await logged("lag", 10)).filter(({ status }) => status === "merged");
  expect(merged.map(({ id }) => id).sort()).toEqual([first[1]?.id, first[3]?.id, second[0]?.id].sort());
});

test("a queue that is full refuses the next signals, which fail visibly", async () => {
  const hook = await receiver(answering(503));
  await webhooks.subscribe("full", hook.url);

  const raised = await webhooks.raise(
    "full",
    Array.from({ length: 22 }, (_, i) => ({ subjectId: `t${i}` })),
  );

  const refused = await logged("full", 2);
  expect(refused).toMatchObject([
    { id: raised[20]?.id, status: "failed", attempts: [{ error: "the queue is full" }] },
    { id: raised[21]?.id, status: "failed" },
  ]);
  expect(JSON.parse(refused[0]?.body ?? "")).toMatchObject({ signal: "track_created" });
});

test("when all queues together are full, signals of a receiver that is away fail visibly, and others are delivered", async () => {
  const away = await receiver(() => undefined);
  const good = await receiver();
  await webhooks.subscribe("away", away.url);
  await webhooks.subscribe("good", good.url);
  const large = Array.from({ length: 18 }, () => ({ state: JSON.stringify({ text: "x".repeat(150 * 1024) }) }));

  const waiting = await webhooks.raise("away", large);
  const raised = await webhooks.raise("good", large.slice(0, 3));

  await until(() => good.delivered().length === raised.length);
  expect(good.delivered().map(({ id }) => id)).toEqual(raised.map(({ id }) => id));
  const dropped = await logged("away", 1);
  const ids = waiting.map(({ id }) => id);
  expect(dropped.length).toBeLessThan(ids.length);
  for (const { id, status, attempts } of dropped) {
    expect(ids.indexOf(id)).toBeGreaterThanOrEqual(ids.length - dropped.length);
    expect([status, attempts[0]?.error]).toEqual(["failed", "dropped: no room"]);
  }
});

test("a repeated signal is delivered once", async () => {
  const hook = await receiver();
  await webhooks.subscribe("twice", hook.url);
  const [first] = await webhooks.raise("twice", [{}]);
  if (first === undefined) throw new Error("nothing was raised");

  await webhooks.write({ type: "SignalRaised", event: first }, { type: "SignalRaised", event: first });
  const [last] = await webhooks.raise("twice", [{}]);

  await until(() => hook.received.length >= 2);
  expect(hook.received.map(({ id }) => id)).toEqual([first.id, last?.id]);
});
