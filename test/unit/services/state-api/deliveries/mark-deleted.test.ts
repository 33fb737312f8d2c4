import type { Redis } from "ioredis";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../../../../services/common/log.ts";
import { createMarkDeleted } from "../../../../../services/state-api/deliveries/mark-deleted.ts";

function markWith(set: () => Promise<unknown>) {
  const redis = { set } as unknown as Redis;
  const mark = createMarkDeleted({ redis, namespace: "n", partitionOf: () => 0, log: createLog("test", "silent") });
  return mark({ subscriptionId: "s", generation: 1 });
}

test("the queues are told of a deletion although Redis is away for a moment", async () => {
  const set = vi.fn(async () => "OK");
  set.mockRejectedValueOnce(new Error("Connection is closed."));

  await markWith(set);

  expect(set).toHaveBeenCalledTimes(2);
});

test("a deletion that the log has is answered, however long Redis is away", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const set = vi.fn(async () => {
    vi.advanceTimersByTime(4_000);
    throw new Error("Connection is closed.");
  });

  await expect(markWith(set)).resolves.toBeUndefined();

  expect(set).toHaveBeenCalledTimes(3);
});
