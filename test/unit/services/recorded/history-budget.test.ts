import { expect, test } from "vitest";
import { createHistoryBudget } from "../../../../services/recorded/history-budget.ts";

const MIB = 1024 * 1024;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

test("hundreds of open segments hold no more than the room, and none gets nothing", () => {
  const budget = createHistoryBudget(128 * MIB);
  const given = Array.from({ length: 600 }, () => budget.open().next());

  expect(Math.max(...given)).toBe(2 * MIB);
  expect(Math.min(...given)).toBe(16 * 1024);
  expect(sum(given)).toBeLessThan(140 * MIB);
});

test("those that read on come to the same part, and a closed segment leaves its part to the others", () => {
  const budget = createHistoryBudget(128 * MIB);
  const places = Array.from({ length: 200 }, () => budget.open());
  let given: number[] = [];
  for (let round = 0; round < 20; round++) given = places.map((place) => place.next());

  expect(sum(given)).toBeLessThanOrEqual(128 * MIB);
  expect(Math.min(...given)).toBeGreaterThan(0.4 * MIB);

  for (const place of places.slice(1)) place.close();
  expect(places[0]?.next()).toBe(2 * MIB);
});
