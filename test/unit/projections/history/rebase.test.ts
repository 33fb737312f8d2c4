import { expect, test } from "vitest";
import { rebaseCameraLog } from "../../../../projections/history/camera-log.ts";
import { rebasedStay } from "../../../../projections/history/stays.ts";
import type { CameraLogEvent, ZoneIntersectionChanged } from "../../../../schemas/events.ts";

const ended = (readUpTo: number | null): CameraLogEvent => ({
  type: "TrackExpired",
  event: { trackId: "t", dataSourceId: "ds", endTime: 1_000, reason: "expired", readUpTo },
});

const baseOf = (partition: number): number => (partition === 3 ? 100 : 0);

test("the offsets that an event names are counted from the base, and nothing else of it changes", () => {
  const change = (offset: number): ZoneIntersectionChanged => ({
    ...{ intersectionId: "i", zoneId: "z", trackId: "t", dataSourceId: "ds", tag: "person" },
    ...{ state: "START", startTime: 1_000, endTime: null, lastInside: 1_000 },
    cause: { partition: 3, offset, index: 2 },
  });

  expect(rebaseCameraLog(ended(5), 3, baseOf)).toEqual(ended(105));
  expect(rebaseCameraLog(ended(5), 2, baseOf)).toEqual(ended(5));
  expect(rebaseCameraLog(ended(null), 3, baseOf)).toEqual(ended(null));
  expect(rebasedStay(change(17), baseOf)).toEqual(change(117));
});
