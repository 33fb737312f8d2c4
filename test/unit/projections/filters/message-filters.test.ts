import { expect, test } from "vitest";
import { detectionActivityFields } from "../../../../projections/filters/detections.ts";
import { intersectionMessageFields } from "../../../../projections/filters/intersections.ts";
import { matches } from "../../../../projections/filters/match.ts";
import { type TrackMessageSubject, trackMessageFields } from "../../../../projections/filters/tracks.ts";
import type {
  FilterDetectionActivityInput,
  FilterTrackMessageInput,
  FilterZoneIntersectionMessageInput,
} from "../../../../schemas/filters.ts";

const subject: TrackMessageSubject = {
  trackId: "t1",
  dataSourceId: "d1",
  dataSource: { type: "VIDEO_DEVICE", labels: ["outside"], deviceId: "d1", siteId: null, pointOfInterestId: null },
  tag: "car",
  seen: { seen: { since: 0, before: [], pairs: [13, 52, 14, 53], first: 0 }, count: 1 },
  properties: {
    identifier: { type: "plate", value: "B-AB 12" },
    attributes: [
      { type: "color", value: "red" },
      { type: "make", value: "blue motors" },
    ],
  },
  modelId: null,
  state: "UPDATE",
};

test.each<[FilterTrackMessageInput, boolean]>([
  [{}, true],
  [{ id: { eq: "t1" } }, true],
  [{ dataSourceId: { in: ["d2"] } }, false],
  [{ tag: { eq: "CAR" } }, true],
  [{ state: { eq: "UPDATE" } }, true],
  [{ state: { ne: "UPDATE" } }, false],
  [{ state: { in: ["START", "END"] } }, false],
  [{ modelId: { eq: "m" } }, false],
  [{ modelId: { ne: "m" } }, true],
  [{ dataSourceType: { like: "video" } }, true],
  [{ dataSourceLabels: { in: ["outside"] } }, true],
  [{ siteId: { eq: "s" } }, false],
  [{ pointOfInterestId: { ne: "p" } }, true],
  [{ identifier: { type: { eq: "plate" }, value: { like: "ab" } } }, true],
  [{ attribute: { type: { eq: "color" }, value: { eq: "red" } } }, true],
  [{ attribute: { type: { eq: "color" }, value: { like: "blue" } } }, false],
  [{ position: { near: { point: { type: "Point", coordinates: [13, 52] }, radius: 1 } } }, true],
  [{ position: { near: { point: { type: "Point", coordinates: [14, 53] }, radius: 1 } } }, false],
  [{ position: { attributeExists: false } }, false],
  [{ dataSourceType: { attributeExists: false } }, false],
  [{ and: [{ tag: { eq: "car" } }, { not: { state: { eq: "END" } } }] }, true],
])("track message filter %j gives %s", (filter, expected) => {
  expect(matches(trackMessageFields, filter, subject)).toBe(expected);
});

test("without any attribute its type and value are missing", () => {
  const bare = { ...subject, properties: null };

  expect(matches(trackMessageFields, { attribute: { type: { ne: "color" } } }, bare)).toBe(true);
  expect(matches(trackMessageFields, { attribute: { type: { attributeExists: false } } }, bare)).toBe(true);
  expect(matches(trackMessageFields, { attribute: { type: { eq: "color" } } }, bare)).toBe(false);
});

test("of a data source that nobody knows nothing is said", () => {
  const orphan = { ...subject, dataSource: null };

  expect(matches(trackMessageFields, { dataSourceType: { ne: "FOLDER" } }, orphan)).toBe(true);
  expect(matches(trackMessageFields, { dataSourceType: { attributeExists: false } }, orphan)).toBe(false);
  expect(matches(trackMessageFields, { dataSourceLabels: { eq: [] } }, orphan)).toBe(false);
});

test.each<[FilterZoneIntersectionMessageInput, boolean]>([
  [{ zoneId: { eq: "z1" } }, true],
  [{ dataSourceId: { eq: "d2" } }, false],
  [{ state: { in: ["START"] } }, true],
  [{ or: [{ zoneId: { eq: "z2" } }, { state: { eq: "START" } }] }, true],
])("zone intersection message filter %j gives %s", (filter, expected) => {
  const message = { zoneId: "z1", dataSourceId: "d1", state: "START" } as const;

  expect(matches(intersectionMessageFields, filter, message)).toBe(expected);
});

test.each<[FilterDetectionActivityInput, boolean]>([
  [{ zoneId: { eq: "z2" } }, true],
  [{ zoneId: { ne: "z2" } }, false],
  [{ zoneId: { ne: "z9" } }, true],
  [{ zoneId: { in: ["z9", "z1"] } }, true],
  [{ zoneId: { eq: "z9" } }, false],
  [{ geofenceId: { eq: "g" } }, false],
  [{ geofenceId: { eq: "g1" } }, true],
  [{ geofenceId: { ne: "g1" } }, false],
  [{ geofenceId: { ne: "g" } }, true],
  [{ tag: { like: "CA" } }, true],
  [{ deviceId: { eq: "d1" } }, true],
  [{ position: { attributeExists: false } }, true],
])("detection activity filter %j gives %s", (filter, expected) => {
  const known = { dataSourceId: "d1", dataSource: null, tag: "car", position: null };
  const detection = { ...known, zoneIds: ["z1", "z2"], geofenceIds: ["g1"] };

  expect(matches(detectionActivityFields, filter, detection)).toBe(expected);
});
