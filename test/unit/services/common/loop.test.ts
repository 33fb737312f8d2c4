import { expect, test } from "vitest";
import { growing, loop, pause, untilSo } from "../../../../services/common/loop.ts";

const LONG_MS = 60_000;

test("rounds go on until one gives something", async () => {
  const pauses: number[] = [];
  let rounds = 0;
  const pauseMs = (round: number) => {
    pauses.push(round);
    return 0;
  };

  expect(await loop(() => (++rounds === 3 ? "found" : undefined), { pauseMs })).toBe("found");
  expect(pauses).toEqual([0, 1]);
});

test("a round that rejects ends it", async () => {
  const broken = async () => {
    throw new Error("broken");
  };

  await expect(loop(broken, { pauseMs: 0 })).rejects.toThrow("broken");
});

test("the signal cuts the pause short, and one round more is the last", async () => {
  const stop = new AbortController();
  let rounds = 0;
  const never = () => {
    rounds += 1;
    setImmediate(() => stop.abort());
    return undefined;
  };

  expect(await loop(never, { pauseMs: LONG_MS, signal: stop.signal })).toBeUndefined();
  expect(rounds).toBe(2);
});

test("no round begins after the time is up, and there is one at least", async () => {
  let checks = 0;
  const isSo = () => ++checks === 1_000_000;

  expect(await untilSo(isSo, { pauseMs: 1, withinMs: 20 })).toBe(false);
  expect(checks).toBeGreaterThan(1);
  expect(await untilSo(() => true, { pauseMs: LONG_MS, withinMs: -1 })).toBe(true);
});

test("the last pause ends with the time", async () => {
  const startedAt = performance.now();

  expect(await untilSo(() => false, { pauseMs: LONG_MS, withinMs: 50 })).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("pauses double up to the longest", () => {
  expect([0, 1, 2, 3, 50, 2_000].map(growing(100, 500))).toEqual([100, 200, 400, 500, 500, 500]);
});

test("a pause with a signal that has come is none", async () => {
  await pause(LONG_MS, AbortSignal.abort());
});

test("a pause for longer than a timer can run does not end at once", async () => {
  const stop = new AbortController();
  const ended: string[] = [];
  const endless = pause(Number.POSITIVE_INFINITY, stop.signal).then(() => ended.push("endless"));

  await pause(20);
  ended.push("short");
  stop.abort();
  await endless;

  expect(ended).toEqual(["short", "endless"]);
});
