import { expect, test } from "vitest";
import { FetchPace } from "../../../../../../services/common/kafka/read/fetch-pace.ts";

function createPace(gatherMs: number) {
  const clock = { ms: 1_000 };
  return { clock, pace: new FetchPace({ gatherMs, elapsed: () => clock.ms }) };
}

test("the fetch after an answer with all that the log had waits until the messages have gathered", () => {
  const { clock, pace } = createPace(10);

  pace.received(7, 7);
  clock.ms += 4;

  expect(pace.takeRestMs()).toBe(6);
});

test("a fetch long after the last answer is sent at once", () => {
  const { clock, pace } = createPace(10);

  pace.received(7, 7);
  clock.ms += 10;

  expect(pace.takeRestMs()).toBe(0);
  expect(pace.beforeFetch()).toBeUndefined();
});

test("a reader that is behind in one partition does not wait", () => {
  const { pace } = createPace(10);

  pace.received(7, 8);
  pace.received(3, 3);

  expect(pace.takeRestMs()).toBe(0);
});

test("a reader that was behind waits again once it has caught up", () => {
  const { pace } = createPace(10);
  pace.received(7, 8);
  pace.takeRestMs();

  pace.received(8, 8);

  expect(pace.takeRestMs()).toBe(10);
});

test("the first fetch, and every fetch of a reader that lets nothing gather, is sent at once", () => {
  const { pace } = createPace(0);

  expect(createPace(10).pace.takeRestMs()).toBe(0);
  pace.received(7, 7);
  expect(pace.takeRestMs()).toBe(0);
});
