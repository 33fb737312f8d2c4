import { afterEach, expect, test, vi } from "vitest";
import type { Asks } from "../../../../../services/console/data/asks.ts";
import { PastZones } from "../../../../../services/console/data/past-zones.ts";

afterEach(() => void vi.useRealTimers());

test("a question that fails is not repeated until another moment is wanted", async () => {
  vi.useFakeTimers();
  const ask = vi.fn(() => Promise.reject(new Error("no answer")));
  const zones = new PastZones({ ask } as Asks, "west", () => {});

  zones.want(1_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ask).toHaveBeenCalledTimes(1);

  zones.want(2_000);
  zones.want(3_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ask).toHaveBeenCalledTimes(3);
  zones.stop();
});
