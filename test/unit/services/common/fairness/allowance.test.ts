import { expect, test } from "vitest";
import { Allowance } from "../../../../../services/common/fairness/allowance.ts";

test("a second's amount may be spent at once, and is filled again steadily", () => {
  const allowance = new Allowance(10, 0);
  for (let i = 0; i < 10; i++) {
    expect(allowance.waitMs(0)).toBe(0);
    allowance.spend(1);
  }

  expect(allowance.waitMs(0)).toBeGreaterThan(0);
  expect(allowance.waitMs(100)).toBe(0);
  allowance.spend(1);
  expect(allowance.waitMs(100)).toBeGreaterThan(0);
});

test("a batch larger than a second's amount is served, and the next one waits until the debt is paid", () => {
  const allowance = new Allowance(100, 0);
  expect(allowance.waitMs(0)).toBe(0);
  allowance.spend(400);

  const waitMs = allowance.waitMs(1_000);

  expect(waitMs).toBe(2_001);
  expect(allowance.waitMs(1_000 + waitMs)).toBe(0);
});

test("nobody waits for more than ten minutes, however large the amount was", () => {
  const allowance = new Allowance(100, 0);
  for (let i = 0; i < 3; i++) allowance.spend(Number.MAX_SAFE_INTEGER);

  expect(allowance.waitMs(0)).toBe(600_001);
  expect(allowance.waitMs(600_001)).toBe(0);
});

test("an unused allowance never holds more than the amount of a second", () => {
  const allowance = new Allowance(10, 0);
  expect(allowance.isFull(1_000_000)).toBe(true);
  allowance.spend(11);

  expect([allowance.isFull(1_000_000), allowance.waitMs(1_000_000)]).toEqual([false, 101]);
  expect(allowance.isFull(1_002_000)).toBe(true);
});

test("a clock that is set back fills nothing, and takes nothing away", () => {
  const allowance = new Allowance(10, 5_000);
  allowance.spend(20);

  expect(allowance.waitMs(4_000)).toBe(allowance.waitMs(4_000));
  expect(allowance.waitMs(5_001)).toBe(0);
});

test("an allowance without a limit never makes anybody wait", () => {
  const allowance = new Allowance(Number.MAX_SAFE_INTEGER, 0);

  for (let i = 0; i < 1_000; i++) allowance.spend(1_000_000);

  expect(allowance.waitMs(0)).toBe(0);
});
