import { expect, test } from "vitest";
import { createLeaveRoom } from "../../../services/replay/leave-room.ts";

/** A process whose times the test sets. */
function process(percent: number) {
  const times = { active: 0, idle: 0 };
  const rests: number[] = [];
  const waking: (() => void)[] = [];
  const rest = (ms: number) => {
    rests.push(ms);
    return new Promise<void>((resolve) => waking.push(resolve));
  };
  const leaveRoom = createLeaveRoom({ percent, spent: () => ({ ...times }), rest });
  return { times, rests, leaveRoom, wake: () => waking.shift()?.() };
}

test("a process with a quarter of a core rests three times as long as it worked", async () => {
  const { times, rests, leaveRoom, wake } = process(25);
  times.active = 20;

  const sessions = [leaveRoom(), leaveRoom()];

  expect(rests).toEqual([60]);
  wake();
  await Promise.all(sessions);
});

test("time in which it waited for others counts as rest", async () => {
  const { times, rests, leaveRoom } = process(25);
  Object.assign(times, { active: 20, idle: 60 });

  await leaveRoom();

  expect(rests).toEqual([]);
});

test("after a rest it works on, and what it waited before does not count again", async () => {
  const { times, rests, leaveRoom, wake } = process(50);
  times.active = 10;
  const first = leaveRoom();
  times.idle = 10;
  wake();
  await first;

  times.active = 15;
  await leaveRoom();
  times.active = 30;
  void leaveRoom();

  expect(rests).toEqual([10, 20]);
});

test("a stall of the machine does not stop it for long, and one with a whole core never rests", async () => {
  const [stalled, whole] = [process(1), process(100)];
  stalled.times.active = 60_000;
  whole.times.active = 60_000;

  void stalled.leaveRoom();
  await whole.leaveRoom();

  expect([stalled.rests, whole.rests]).toEqual([[500], []]);
});
