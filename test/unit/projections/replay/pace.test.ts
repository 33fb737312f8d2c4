import { expect, test } from "vitest";
import { createReplayPace } from "../../../../projections/replay/pace.ts";

test("a signal waits as long after the first one as it was recorded, divided by the speed", () => {
  const pace = createReplayPace(2);

  expect(pace.wait(10_000, 500)).toBe(0);
  expect(pace.wait(14_000, 600)).toBe(1_900);
  expect(pace.wait(14_000, 2_500)).toBe(0);
  expect(pace.wait(9_000, 2_500)).toBe(0);
});

test("without a speed nothing waits", () => {
  const pace = createReplayPace(null);
  pace.wait(0, 0);

  expect(pace.wait(1_000_000, 1)).toBe(0);
});

test("after a restart the next signal is due at once", () => {
  const pace = createReplayPace(1);
  pace.wait(0, 0);
  pace.restart();

  expect(pace.wait(86_400_000, 10)).toBe(0);
  expect(pace.wait(86_401_000, 10)).toBe(1_000);
});

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

test("recordings of other days that lie in the log among one another go side by side", () => {
  const pace = createReplayPace(2);
  const waits: number[] = [];

  for (const [i, at] of [0, DAY, 5_000, DAY + 5_000, 9_000, DAY + 9_000].entries()) {
    pace.reach({ at, recordedAt: 10 * i });
    waits.push(pace.wait(at, 0));
  }

  expect(waits).toEqual([0, 0, 2_500, 2_500, 4_500, 4_500]);
});

test("a long step is waited for if it was recorded as long, or if detections without a signal lie between", () => {
  const recorded = createReplayPace(1);
  recorded.reach({ at: 0, recordedAt: 0 });
  recorded.wait(0, 0);
  recorded.reach({ at: 60 * MINUTE, recordedAt: 60 * MINUTE });

  expect(recorded.wait(60 * MINUTE, 0)).toBe(60 * MINUTE);

  const imported = createReplayPace(1);
  for (let minute = 0; minute <= 60; minute++) {
    imported.reach({ at: minute * MINUTE, recordedAt: minute });
    if (minute === 0) imported.wait(0, 0);
  }

  expect(imported.wait(60 * MINUTE, 0)).toBe(60 * MINUTE);
});

test("a signal that was not reached does not draw the recording of another day to its clock", () => {
  const pace = createReplayPace(1);
  pace.wait(0, 0);
  pace.reach({ at: DAY, recordedAt: 20 * DAY });

  expect(pace.wait(DAY, 0)).toBe(0);
});

test("wild timestamps do not stop the pace of the others", () => {
  const pace = createReplayPace(1);
  pace.reach({ at: 0, recordedAt: 0 });
  pace.wait(0, 0);
  for (let i = 1; i <= 1_000; i++) {
    pace.reach({ at: i * DAY, recordedAt: i });
    pace.reach({ at: i, recordedAt: i });
  }

  expect(pace.wait(1_000, 0)).toBe(1_000);
});
