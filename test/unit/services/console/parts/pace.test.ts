import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPace } from "../../../../../services/console/parts/pace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("work is done at once, then once for all calls of a pause, and the last call is not forgotten", () => {
  const work = vi.fn();
  const pace = createPace(500, work);
  for (let call = 0; call < 10; call++) pace.call();
  expect(work).toHaveBeenCalledTimes(1);

  vi.advanceTimersByTime(500);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5_000);
  expect(work).toHaveBeenCalledTimes(2);
});

test("nothing is done after the end", () => {
  const work = vi.fn();
  const pace = createPace(500, work);
  pace.call();
  pace.call();
  pace.stop();
  vi.advanceTimersByTime(5_000);

  expect(work).toHaveBeenCalledTimes(1);
});
