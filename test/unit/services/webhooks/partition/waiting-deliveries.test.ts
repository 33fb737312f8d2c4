import { expect, test } from "vitest";
import type { QueueId } from "../../../../../projections/webhooks/deliveries/queue-id.ts";
import type { Subscription } from "../../../../../projections/webhooks/subscriptions/subscriptions.ts";
import { WaitingDeliveries } from "../../../../../services/webhooks/partition/waiting-deliveries.ts";
import type { QueueLength } from "../../../../../services/webhooks/queue/lengths.ts";

const lengths: Readonly<Record<QueueId, QueueLength>> = {
  "1/a": { deliveries: 2, oldestAt: 5_000 },
  "1/b": { deliveries: 3, oldestAt: 4_000 },
  "1/c": { deliveries: 7, oldestAt: 1_000 },
  "1/d": { deliveries: 0, oldestAt: undefined },
};

function waitingOf() {
  let asked = 0;
  const queue = {
    lengths: async (ids: readonly QueueId[]) => {
      asked += 1;
      return ids.map((id) => lengths[id] ?? { deliveries: 0, oldestAt: undefined });
    },
  };
  const stopped = { createdAt: 1, stopped: { reason: "failing", at: 1 } } as unknown as Subscription;
  const subscriptions = { get: (id: string) => (id === "c" ? stopped : undefined) };
  return { waiting: new WaitingDeliveries(queue, subscriptions), asked: () => asked };
}

test("deliveries of stopped subscriptions count apart", async () => {
  const { waiting } = waitingOf();
  await waiting.measureWhenDue(["1/a", "1/b", "1/c", "1/d"]);

  expect(waiting.of("active")).toEqual({ deliveries: 5, oldestAt: 4_000 });
  expect(waiting.of("stopped")).toEqual({ deliveries: 7, oldestAt: 1_000 });
});

test("the queues are not measured at every check", async () => {
  const { waiting, asked } = waitingOf();

  for (let i = 0; i < 5; i++) await waiting.measureWhenDue(["1/a"]);

  expect(asked()).toBe(1);
});

test("nothing waits before the first measurement", () => {
  expect(waitingOf().waiting.of("active")).toEqual({ deliveries: 0, oldestAt: Number.POSITIVE_INFINITY });
});
