import { describe, expect, test } from "vitest";
import { MOST_DETECTIONS, type PastDetection, Reel, staysAt } from "../../../../../services/console/data/reel.ts";

const seen = (trackId: string, at: number, x = at): PastDetection => ({
  trackId,
  tag: "person",
  at,
  ring: [
    [x, 0],
    [x + 10, 20],
  ],
  position: null,
  recordedAt: at + 5,
});

const shown = (reel: Reel, at: number) =>
  Object.fromEntries([...reel.pictureAt(at).objects].map(([trackId, object]) => [trackId, object.at]));

function reelOf(first: readonly PastDetection[], later: readonly PastDetection[] = [], until = 100_000): Reel {
  const reel = new Reel({ at: 0, detections: first, stays: [] });
  reel.append({ until, detections: later, stays: [] });
  return reel;
}

describe("the picture of a moment", () => {
  test("each track has its last detection at or before the moment", () => {
    const reel = reelOf([seen("a", -200), seen("b", -100)], [seen("a", 1_000), seen("b", 1_040), seen("a", 2_000)]);

    expect(shown(reel, 0)).toEqual({ a: -200, b: -100 });
    expect(shown(reel, 1_000)).toEqual({ a: 1_000, b: -100 });
    expect(shown(reel, 1_999)).toEqual({ a: 1_000, b: 1_040 });
  });

  test("a track leaves it once it was silent for its time to live", () => {
    const reel = reelOf([seen("a", 0)]);

    expect(shown(reel, 14_999)).toEqual({ a: 0 });
    expect(shown(reel, 15_000)).toEqual({});
  });

  test("a track that was away comes back, without the trail from before", () => {
    const reel = reelOf([seen("a", 0)], [seen("a", 20_000, 500)]);

    expect(shown(reel, 19_999)).toEqual({});
    expect(reel.pictureAt(20_000).objects.get("a")?.trail).toEqual([[505, 20]]);
  });

  test("it is the same backwards as forwards", () => {
    const later = Array.from({ length: 200 }, (_, i) => seen(`t${i % 7}`, i * 313));
    const forwards = reelOf([seen("a", 0)], later);
    const backwards = reelOf([seen("a", 0)], later);
    const moments = Array.from({ length: 70 }, (_, i) => i * 1_000);

    const there = moments.map((at) => shown(forwards, at));
    const back = moments.toReversed().map((at) => shown(backwards, at));

    expect(back.toReversed()).toEqual(there);
    expect(there.at(-1)).not.toEqual({});
  });

  test("it knows when the log recorded its newest detection", () => {
    expect(reelOf([seen("a", 0)], [seen("a", 900)]).pictureAt(1_000).recordedAt).toBe(905);
    expect(reelOf([]).pictureAt(0).recordedAt).toBeUndefined();
  });
});

test("a reel covers what it was given", () => {
  const reel = reelOf([], [], 5_000);

  expect([-1, 0, 5_000, 5_001].map((at) => reel.covers(at))).toEqual([false, true, true, false]);
});

test("the frames before and after a moment are those of the stretch", () => {
  const reel = reelOf([seen("a", -40)], [seen("a", 40), seen("b", 40), seen("a", 80), seen("a", 120)], 100);

  expect(reel.frameAfter(40)).toBe(80);
  expect(reel.frameAfter(80)).toBeUndefined();
  expect(reel.frameBefore(80)).toBe(40);
  // Only the last detection of each track is known before the stretch.
  expect(reel.frameBefore(40)).toBeUndefined();
});

test("a reel forgets the past of a long playback, and still has the right pictures", () => {
  const later = Array.from({ length: MOST_DETECTIONS + 1_000 }, (_, i) => seen(`t${i % 50}`, i));
  const reel = reelOf([], later);

  const before = shown(reel, 50_000);
  reel.append({ until: 200_000, detections: [], stays: [] });

  expect(reel.from).toBe(50_000);
  expect(reel.covers(49_999)).toBe(false);
  expect(reel.ahead).toBe(MOST_DETECTIONS + 1_000 - 50_001);
  expect(shown(reel, 50_000)).toEqual(before);
  expect(shown(reel, 50_001)).toEqual({ ...before, t1: 50_001 });
});

test("a stay covers the moments from its first detection to before its end", () => {
  const stay = { id: "s", trackId: "a", zoneId: "z", since: 100, endedAt: 200 };

  expect([99, 100, 199, 200].map((at) => staysAt([stay], at, new Map()).length)).toEqual([0, 1, 1, 0]);
});

test("a stay without an end lasts as long as its track is in the picture", () => {
  const stay = { id: "s", trackId: "a", zoneId: "z", since: 0, endedAt: null };
  const reel = new Reel({ at: 0, detections: [seen("a", 0)], stays: [stay] });
  reel.append({ until: 100_000, detections: [], stays: [] });

  expect(reel.pictureAt(14_999).stays).toEqual([stay]);
  expect(reel.pictureAt(15_000).stays).toEqual([]);
});
