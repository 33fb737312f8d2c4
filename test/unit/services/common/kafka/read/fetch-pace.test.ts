import { expect, test } from "vitest";
import { FetchPace } from "../../../../../../services/common/kafka/read/fetch-pace.ts";

function createPace(gatherMs: number, maxGatherMs = gatherMs) {
  const clock = { ms: 1_000 };
  const partitions = { areOpen: true };
  const elapsed = () => clock.ms;
  const pace = new FetchPace({ gatherMs, maxGatherMs, elapsed, areAllOpen: () => partitions.areOpen });
  return { clock, partitions, pace };
}

/** Part of an answer: by default the last message of the log, of 1 kB. */
function part(details: { next?: number; highWatermark?: number; bytes?: number } = {}) {
  const { next = 7, highWatermark = next, bytes = 1_000 } = details;
  return { next, highWatermark, bytes };
}

/** Receives so many bytes in each of 500 milliseconds, and fetches every 20 ms. */
function receiveFor500Ms({ clock, pace }: ReturnType<typeof createPace>, bytesPerMs: number): void {
  for (let ms = 20; ms <= 500; ms += 20) {
    clock.ms += 20;
    pace.takeRestMs();
    pace.received(part({ bytes: 20 * bytesPerMs }));
  }
}

test("the fetch after an answer with all that the log had waits until the messages have gathered", () => {
  const { clock, pace } = createPace(10);

  pace.received(part());
  clock.ms += 4;

  expect(pace.takeRestMs()).toBe(6);
});

test("a fetch long after the last answer is sent at once", () => {
  const { clock, pace } = createPace(10);

  pace.received(part());
  clock.ms += 10;

  expect(pace.takeRestMs()).toBe(0);
  expect(pace.beforeFetch()).toBeUndefined();
});

test("a reader that is behind in one partition does not wait", () => {
  const { pace } = createPace(10);

  pace.received(part({ highWatermark: 8 }));
  pace.received(part({ next: 3 }));

  expect(pace.takeRestMs()).toBe(0);
});

test("a reader that was behind waits again once it has caught up", () => {
  const { pace } = createPace(10);
  pace.received(part({ highWatermark: 8 }));
  pace.takeRestMs();

  pace.received(part({ next: 8 }));

  expect(pace.takeRestMs()).toBe(10);
});

test("the first fetch, and every fetch of a reader that lets nothing gather, is sent at once", () => {
  const none = createPace(0, 50);

  expect(createPace(10).pace.takeRestMs()).toBe(0);
  receiveFor500Ms(none, 5_000);
  expect(none.pace.takeRestMs()).toBe(0);
});

test("messages gather longer when many come: for each megabyte in a second once more, up to the longest time", () => {
  const [few, many, most] = [createPace(10, 50), createPace(10, 50), createPace(10, 50)];

  receiveFor500Ms(few, 900);
  receiveFor500Ms(many, 3_000);
  receiveFor500Ms(most, 9_000);

  expect([few, many, most].map(({ pace }) => pace.takeRestMs())).toEqual([10, 30, 50]);
});

test("messages gather no longer than usual once few come again", () => {
  const pacing = createPace(10, 50);
  receiveFor500Ms(pacing, 9_000);

  receiveFor500Ms(pacing, 100);

  expect(pacing.pace.takeRestMs()).toBe(10);
});

test("a reader that is behind does not wait, however many messages come", () => {
  const pacing = createPace(10, 50);
  receiveFor500Ms(pacing, 9_000);

  pacing.pace.received(part({ highWatermark: 8 }));

  expect(pacing.pace.takeRestMs()).toBe(0);
});

test("the broker may wait as long as the log has been silent", () => {
  const { clock, pace } = createPace(10);
  pace.received(part());

  clock.ms += 400;
  expect(pace.patienceMs()).toBe(400);
  clock.ms += 800;
  expect(pace.patienceMs()).toBe(1_200);
  pace.received(part({ next: 8 }));
  expect(pace.patienceMs()).toBe(0);
});

test("while a partition is not read, and right after that, the broker does not wait longer", () => {
  const { clock, partitions, pace } = createPace(0);
  partitions.areOpen = false;

  clock.ms += 5_000;
  expect(pace.patienceMs()).toBe(0);
  partitions.areOpen = true;
  clock.ms += 30;
  expect(pace.patienceMs()).toBe(30);
});
