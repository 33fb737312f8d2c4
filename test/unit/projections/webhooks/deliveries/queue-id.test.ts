import { expect, test } from "vitest";
import {
  isQueueId,
  parseQueueId,
  queueIdOf,
  subscriptionOf,
} from "../../../../../projections/webhooks/deliveries/queue-id.ts";
import type { Subscription } from "../../../../../projections/webhooks/subscriptions/subscriptions.ts";

test.each(["gates", "a/b", "/", "17/gates", "{p1}:x"])(
  "a queue's name gives the id %s and the generation back",
  (id) => {
    const of = { subscriptionId: id, generation: 1_767_225_600_000 };

    expect(isQueueId(queueIdOf(of))).toBe(true);
    expect(parseQueueId(queueIdOf(of))).toEqual(of);
  },
);

test("a queue belongs to the subscription of its generation only", () => {
  const present = { key: "gates", createdAt: 20 } as Subscription;
  const view = { get: (id: string) => (id === "gates" ? present : undefined) };

  expect(subscriptionOf(view, "20/gates")).toBe(present);
  expect(subscriptionOf(view, "10/gates")).toBeUndefined();
  expect(subscriptionOf(view, "30/gates")).toBeUndefined();
  expect(subscriptionOf(view, "20/doors")).toBeUndefined();
});
