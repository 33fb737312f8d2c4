import { expect, test } from "vitest";
import { nextAttemptAt, outcomeOf, parseRetryAfter } from "../../../../../projections/webhooks/deliveries/outcome.ts";

const NOW = Date.parse("2026-01-01T00:00:00.000Z");
const settings = { firstDelayMs: 5_000, longestDelayMs: 3_600_000, keepMs: 72_000_000 };

const after = (inARow: number, given: object = {}) => {
  const failures = { createdAt: NOW, now: NOW, inARow, retryAfterMs: undefined, random: 0.5, ...given };
  const at = nextAttemptAt(failures, settings);
  return at === undefined ? undefined : at - failures.now;
};

test("pauses double from the first to the longest", () => {
  expect([1, 2, 3, 4, 10, 11, 30].map((inARow) => after(inARow))).toEqual([
    5_000, 10_000, 20_000, 40_000, 2_560_000, 3_600_000, 3_600_000,
  ]);
});

test("a pause varies by a fifth", () => {
  expect([after(1, { random: 0 }), after(1, { random: 1 })]).toEqual([4_000, 6_000]);
});

test("a pause that the receiver asks for is kept, up to the longest", () => {
  expect(after(1, { retryAfterMs: 60_000 })).toBe(60_000);
  expect(after(1, { retryAfterMs: 1 })).toBe(5_000);
  expect(after(1, { retryAfterMs: 1e12 })).toBe(3_600_000);
});

test("every attempt is within the time that a signal is kept, and then there is none", () => {
  let [now, attempts] = [NOW, 0];
  for (let inARow = 1; ; inARow++) {
    const at = nextAttemptAt({ createdAt: NOW, now, inARow, retryAfterMs: undefined, random: Math.random() }, settings);
    if (at === undefined) break;
    expect(at).toBeGreaterThan(now);
    expect(at - NOW).toBeLessThanOrEqual(72_000_000);
    now = at;
    attempts += 1;
  }
  expect(attempts).toBeGreaterThan(20);
  expect(NOW + 72_000_000 - now).toBeLessThanOrEqual(3_600_000 * 1.2);
});

test.each([
  [200, { kind: "delivered" }],
  [204, { kind: "delivered" }],
  [410, { kind: "gone" }],
  [301, { kind: "failed", error: "redirects are not followed", retryAfterMs: undefined }],
  [404, { kind: "failed", error: null, retryAfterMs: undefined }],
  [500, { kind: "failed", error: null, retryAfterMs: undefined }],
  [429, { kind: "failed", error: null, retryAfterMs: 7_000 }],
  [503, { kind: "failed", error: null, retryAfterMs: 7_000 }],
])("status %i", (status, outcome) => {
  expect(outcomeOf({ status, retryAfter: "7" }, NOW)).toEqual(outcome);
});

test.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
  ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ["-5", undefined],
  ["1.5", undefined],
  ["2026", 2_026_000],
  ["soon", undefined],
  ["9".repeat(400), undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %s", (text, ms) => {
  expect(parseRetryAfter(text, NOW)).toBe(ms);
});
