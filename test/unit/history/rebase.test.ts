import { expect, test } from "vitest";
import { rebaseCameraLog, rebaseIntersection } from "../../../projections/history/rows/rebase.ts";
import type { CameraLogEvent, ZoneIntersectionChanged } from "../../../schemas/events.ts";

const ended = (readUpTo: number | null): CameraLogEvent => ({
  type: "TrackExpired",
  event: { trackId: "t", dataSourceId: "ds", endTime: 1_000, reason: "expired", readUpTo },
});

test("the offsets that an event names are counted from the base, and nothing else of it changes", () => {
  const change: ZoneIntersectionChanged = {
    ...{ intersectionId: "i", zoneId: "z", trackId: "t", dataSourceId: "ds", tag: "person" },
    ...{ state: "START", startTime: 1_000, endTime: null, lastInside: 1_000 },
    cause: { partition: 3, offset: 17, index: 2 },
  };

  expect(rebaseCameraLog(ended(5), 100)).toEqual(ended(105));
  expect(rebaseCameraLog(ended(null), 100)).toEqual(ended(null));
  expect(rebaseIntersection(change, 100)).toEqual({ ...change, cause: { partition: 3, offset: 117, index: 2 } });
});
