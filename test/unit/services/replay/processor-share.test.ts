import { expect, test } from "vitest";
import { createProcessorShare } from "../../../../services/replay/processor-share.ts";

/** A process whose times the test sets. */
function process(percent: number) {
  const times = { active: 0, idle: 0 };
  const rests: number[] = [];
  const waking: (() => void)[] = [];
  const rest = (ms: number) => {
    rests.push(ms);
    return new Promise<void>((resolve) => waking.push(resolve));
  };
  const throttle = createProcessorShare({ percent, spent: () => ({ ...times }), rest });
  return { times, rests, throttle, wake: () => waking.shift()?.() };
}

test("a process with a quarter of a core rests three times as long as it worked", async () => {
  const { times, rests, throttle, wake } = process(25);
  times.active = 20;

  const sessions = [throttle(), throttle()];

  expect(rests).toEqual([60]);
  wake();
  await Promise.all(sessions);
});

test("time in which it waited for others counts as rest", async () => {
  const { times, rests, throttle } = process(25);
  Object.assign(times, { active: 20, idle: 60 });

  await throttle();

  expect(rests).toEqual([]);
});

test("after a rest it works on, and what it waited before does not count again", async () => {
  const { times, rests, throttle, wake } = process(50);
  times.active = 10;
  const first = throttle();
  times.idle = 10;
  wake();
  await first;

  times.active = 15;
  await throttle();
  times.active = 30;
  void throttle();

  expect(rests).toEqual([10, 20]);
});

test("a stall of the machine does not stop it for long, and one with a whole core never rests", async () => {
  const [stalled, whole] = [process(1), process(100)];
  stalled.times.active = 60_000;
  whole.times.active = 60_000;

  void stalled.throttle();
  await whole.throttle();

  expect([stalled.rests, whole.rests]).toEqual([[500], []]);
});
