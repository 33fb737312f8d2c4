// Changes of a subscription while the log does not answer as it should.
import { beforeAll, expect, test } from "vitest";
import { createSubscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { unavailable } from "../../../schemas/errors.ts";
import { subscriptionLeaseKey } from "../../../schemas/redis-keys.ts";
import { loadConfig, registryEnv } from "../../../services/common/config.ts";
import type { Acknowledged, Publisher } from "../../../services/common/kafka/write/publisher.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { createSubscriptionStore } from "../../../services/state-api/subscriptions/store.ts";
import { createSubscriptionPlaces } from "../../../services/state-api/subscriptions/subscription-places.ts";
import { useRedis } from "../../support/running/redis.ts";
import { useStack } from "../../support/running/stack.ts";
import { subscriptionSet } from "../../unit/projections/webhooks/subscriptions/subscription.ts";

const { client: redis, namespace } = useRedis("subscription-store", 0);
let codec: Codec;

beforeAll(async () => {
  codec = await createCodec(loadConfig(registryEnv, useStack().env));
});

const written: Acknowledged = { topic: "subscriptions", partition: 0, offset: 0 };
const publisherWith = (publish: Publisher["publish"]): Publisher => ({
  name: "publisher",
  start: async () => {},
  stop: async () => {},
  partitionOf: () => 0,
  partitionsOf: () => 1,
  publish,
});

function storeWith(publish: Publisher["publish"], catchUp: () => Promise<void> = async () => {}) {
  const view = createSubscriptions();
  const places = createSubscriptionPlaces({ view, max: 1, maxPerToken: 1, maxPerSource: 50, maxBytes: 1024 ** 2 });
  const publisher = publisherWith(publish);
  const shared = { redis, codec, namespace, now: () => 1_000 };
  return createSubscriptionStore({ ...shared, view, follower: { catchUp }, publisher, places });
}

const create = (id: string) => () => subscriptionSet({ key: id }).event;
const isLeased = (id: string) => redis.exists(subscriptionLeaseKey(namespace, id));

test("nobody changes a subscription whose last change may still arrive", async () => {
  const store = storeWith(() => Promise.reject(unavailable("the log did not answer in time", 1_000)));

  await expect(store.change("lost", create("lost"))).rejects.toMatchObject({ code: "UNAVAILABLE" });

  expect(store.view.get("lost")).toBeUndefined();
  expect(await isLeased("lost")).toBe(1);
});

test("a failed change takes no room", async () => {
  let isAway = true;
  const store = storeWith(async () => {
    if (isAway) throw unavailable("the log is away", 1_000);
    return [written];
  });
  await expect(store.change("a", create("a"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  isAway = false;

  await store.change("b", create("b"));

  await expect(store.change("c", create("c"))).rejects.toMatchObject({ kind: "too-many-subscriptions" });
});

test("nothing is written as long as it is not known what others wrote", async () => {
  let calls = 0;
  const publish = async () => {
    calls += 1;
    return [written];
  };
  const store = storeWith(publish, () => Promise.reject(unavailable("the log does not answer", 1_000)));

  await expect(store.change("behind", create("behind"))).rejects.toMatchObject({ code: "UNAVAILABLE" });

  expect(calls).toBe(0);
  expect(await isLeased("behind")).toBe(0);
});

test("a subscription is as old as the log says, however far our clock is ahead", async () => {
  let offset = 0;
  const store = storeWith(async () => [{ ...written, offset: offset++, recordedAt: 500 }]);

  const ahead = await store.change("ahead", () => subscriptionSet({ key: "ahead", createdAt: 600_000 }).event);

  expect([ahead.createdAt, store.view.get("ahead")?.createdAt, offset]).toEqual([500, 500, 2]);
  await store.change("ahead", (current) => ({ ...(current ?? ahead), workflowName: "B" }));
  expect([store.view.get("ahead")?.createdAt, offset]).toEqual([500, 3]);
});

test("a subscription stays the same one when the log's clock goes back behind its creation", async () => {
  let recordedAt = 1_000;
  let offset = 0;
  const store = storeWith(async () => [{ ...written, offset: offset++, recordedAt }]);
  const created = await store.change("stays", () => subscriptionSet({ key: "stays", createdAt: 900 }).event);

  recordedAt = 100;
  await store.change("stays", (current) => ({ ...(current ?? created), workflowName: "B" }));

  expect([store.view.get("stays")?.createdAt, offset]).toEqual([900, 2]);
});

test("readers get what is known while the log does not answer", async () => {
  const store = storeWith(
    async () => [written],
    () => Promise.reject(unavailable("the log does not answer", 1_000)),
  );

  await expect(store.refresh()).resolves.toBeUndefined();
});

test("a message that waited longer than the lease is not written", async () => {
  let ask: (() => boolean) | undefined;
  const store = storeWith(async (_messages, isValid) => {
    ask = isValid;
    return [written];
  });

  await store.change("late", create("late"));

  expect(ask?.()).toBe(false);
});
