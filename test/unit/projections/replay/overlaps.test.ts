import { expect, test } from "vitest";
import { type Stretched, withoutOverlaps } from "../../../../projections/replay/overlaps.ts";
import { askedOfCam } from "../../../support/scenes/segment-tracks.ts";

const TTL_MS = 15;

const stretched = (trackId: string, beginAt: number, from: number, to: number, log: Stretched["log"] = "topic") => ({
  ...{ asked: askedOfCam(trackId), dataSourceIds: ["cam"], log, beginAt, lastAt: to },
  ...{ recorded: [{ from, to }], eventFrom: from, eventTo: to },
});

test("stretches that overlap become one, which knows when each of its tracks was there", () => {
  const joined = withoutOverlaps([stretched("a", 0, 50, 60), stretched("b", 10, 100, 110)], TTL_MS);

  expect(joined).toEqual([
    {
      ...{ asked: askedOfCam("a", "b"), dataSourceIds: ["cam"], log: "topic", beginAt: 0, lastAt: 110 },
      recorded: [
        { from: 50, to: 60 },
        { from: 100, to: 110 },
      ],
      ...{ eventFrom: 50, eventTo: 110 },
    },
  ]);
});

test("a stretch that lies within an earlier one does not shorten it", () => {
  const joined = withoutOverlaps(
    [stretched("b", 20, 30, 40), stretched("a", 0, 10, 100), stretched("c", 110, 110, 120)],
    TTL_MS,
  );

  expect(joined).toMatchObject([{ asked: askedOfCam("a", "b", "c"), beginAt: 0, lastAt: 120 }]);
});

test("what the log has and what the history has is not joined, nor is what lies apart", () => {
  const apart = [
    stretched("a", 0, 10, 20, "history"),
    stretched("b", 15, 30, 40),
    stretched("c", 16, 31, 41, "history"),
    stretched("d", 57, 57, 60),
  ];

  expect(withoutOverlaps(apart, TTL_MS).map(({ asked }) => asked)).toEqual([
    askedOfCam("a", "c"),
    askedOfCam("b"),
    askedOfCam("d"),
  ]);
});
