import { expect, test } from "vitest";
import { createPace } from "../../../projections/replay/pace.ts";

test("a signal waits as long after the first one as it was recorded, divided by the speed", () => {
  const pace = createPace(2);

  expect(pace.wait(10_000, 500)).toBe(0);
  expect(pace.wait(14_000, 600)).toBe(1_900);
  expect(pace.wait(14_000, 2_500)).toBe(0);
  expect(pace.wait(9_000, 2_500)).toBe(0);
});

test("without a speed nothing waits", () => {
  const pace = createPace(null);
  pace.wait(0, 0);

  expect(pace.wait(1_000_000, 1)).toBe(0);
});

test("after a restart the next signal is due at once", () => {
  const pace = createPace(1);
  pace.wait(0, 0);
  pace.restart();

  expect(pace.wait(86_400_000, 10)).toBe(0);
  expect(pace.wait(86_401_000, 10)).toBe(1_000);
});
