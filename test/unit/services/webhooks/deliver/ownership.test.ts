import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createQueueOwnership } from "../../../../../services/webhooks/deliver/ownership.ts";

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

test("a process that was paused asks again before it sends, and does not when another one owns the partition", async () => {
  let owner = "this";
  const asked: string[] = [];
  const isOwned = async () => {
    asked.push(owner);
    return owner === "this";
  };
  const ownership = createQueueOwnership({ isOwned });

  expect([await ownership.isHeld(), await ownership.isHeld(), asked.length]).toEqual([true, true, 1]);
  owner = "other";
  vi.advanceTimersByTime(60_000);
  expect([await ownership.isHeld(), asked.length]).toEqual([false, 2]);
});

test("an answer that is read late says nothing, because the pause may have been before it was read", async () => {
  const ownership = createQueueOwnership({
    isOwned: async () => {
      vi.advanceTimersByTime(20_000);
      return true;
    },
  });

  expect(await ownership.isHeld()).toBe(false);
});

test("without an answer nothing is known", async () => {
  const ownership = createQueueOwnership({ isOwned: () => Promise.reject(new Error("away")) });

  await expect(ownership.isHeld()).rejects.toThrow("away");
});
