import { describe, expect, test } from "vitest";
import { eventBoundsEnv, eventBoundsOf } from "../../../schemas/bounds.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { CameraLogEvent, DetectionsRecorded } from "../../../schemas/events.ts";
import { partitionOfKey } from "../../../schemas/partition-of-key.ts";
import { readCameraLog, readMessage } from "../../../schemas/read-message.ts";
import { toProperties } from "../../../services/api/fields/mutations/create-track.ts";
import { created, drawn, expired, polygon, recorded, seen, T0, updated } from "../projections/live/camera.ts";

const bounds = eventBoundsOf(eventBoundsEnv.parse({}));
const FUTURE = bounds.maxFutureMs + 1;

/** A polygon of so many vertices, the closing point included. */
const ring = (vertices: number): number[] => {
  const points = Array.from({ length: vertices - 2 }, (_, i) => [i, i % 2]).flat();
  return [...points, 0, 9, ...points.slice(0, 2)];
};

function read(message: CameraLogEvent) {
  const codec = { decode: () => ({ ok: true, ...message }) } as unknown as Codec;
  return readCameraLog(codec, { value: Buffer.alloc(0), recordedAt: T0, partition: 0, bounds });
}

test("one senseless detection is left out of its message, with the reason, and takes no other with it", () => {
  const taken = read(recorded(seen(0, 1), seen(FUTURE, 2), seen(1, 3), seen(2, 4, { trackId: "" })));

  if (!taken.ok) throw new Error(taken.reason);
  expect((taken.message.event as DetectionsRecorded).detections).toEqual([seen(0, 1), seen(1, 3)]);
  expect(taken.leftOut).toBe("detections.1.timestamp: too far in the future (2 of 4 detections left out)");
});

test("a message of nothing but senseless detections is refused, one without any is taken as it is", () => {
  const message = recorded(seen(0, 1), seen(1, 2));

  expect(read(recorded(seen(FUTURE, 1), seen(FUTURE, 2)))).toEqual({
    ok: false,
    reason: "detections.0.timestamp: too far in the future",
  });
  expect(read(message)).toEqual({ ok: true, message, leftOut: undefined });
});

test("a track is taken whole or not at all", () => {
  expect(read(created({ detections: [seen(0, 1), seen(FUTURE, 2)] }))).toEqual({
    ok: false,
    reason: "detections.1.timestamp: too far in the future",
  });
});

test("outlines and zones beyond their vertices are refused, each by its own bound", () => {
  const outline = (vertices: number) => recorded(seen(0, 1, { polygon: polygon(ring(vertices)) }));
  const zone = (vertices: number) => drawn({ polygon: polygon(ring(vertices)) });

  expect([read(outline(256)).ok, read(zone(10_000)).ok]).toEqual([true, true]);
  expect(read(outline(257))).toEqual({ ok: false, reason: "detections.0.polygon: more than 256 vertices" });
  expect(read(zone(10_001))).toEqual({ ok: false, reason: "zone.polygon: more than 10000 vertices" });
});

test("a record is read from a topic that it belongs into, and refused elsewhere", () => {
  const codec = { decode: () => ({ ok: true, type: "ZoneVersion", event: {} }) } as unknown as Codec;

  expect(readMessage(codec, "zones", null)).toMatchObject({ ok: true, type: "ZoneVersion" });
  expect(readMessage(codec, "catalog", null)).toEqual({ ok: false, reason: "a ZoneVersion does not belong here" });
});

test("metadata is refused by its size, and when it is not JSON", () => {
  const reasonOf = (metadata: string) => {
    const taken = read(recorded(seen(0, 1, { metadata })));
    return taken.ok ? undefined : taken.reason;
  };

  expect(reasonOf(`"${"x".repeat(65_536)}"`)).toBe("detections.0.metadata: more than 65536 bytes");
  expect(reasonOf("{")).toBe("detections.0.metadata: not JSON");
});

const LONG = "x".repeat(1_025);
const withCrs = (crs: string) => ({ ...polygon([0, 0, 9, 0, 9, 9, 0, 0]), crs });
const attributes = Array.from({ length: 100 }, () => ({ type: "colour", value: "y".repeat(1_000) }));
const empty = (count: number) => ({ identifier: null, attributes: Array(count).fill({ type: "", value: "" }) });
const ZONE_PATCH = { name: null, polygon: null, active: null, anchor: null, enterDetections: null, exitDelayMs: null };
const renamed = {
  zoneId: "z",
  dataSourceId: "cam",
  updatedAt: T0,
  ifUpdatedAt: null,
  set: { ...ZONE_PATCH, name: LONG },
  cleared: [],
};

test.each<readonly [string, CameraLogEvent]>([
  ["tag: at most 1024 characters", created({ tag: LONG })],
  ["tag: at most 1024 characters", updated({ tag: LONG })],
  ["modelId: at most 1024 characters", created({ modelId: LONG })],
  ["properties: more than 65536 bytes", created({ properties: { identifier: null, attributes } })],
  ["properties.attributes: more than 256 attributes", created({ properties: empty(257) })],
  ["properties.attributes: more than 256 attributes", updated({ properties: empty(257) })],
  ["zone.name: at most 1024 characters", drawn({ name: LONG })],
  ["zone.dataSourceId: an id has 1 to 255 characters, none of them NUL", drawn({ dataSourceId: LONG })],
  ["zone.polygon.crs: more than 1024 bytes", drawn({ polygon: withCrs(LONG) })],
  ["set.name: at most 1024 characters", { type: "ZoneUpdated", event: renamed }],
  [
    "movedTo: an id has 1 to 255 characters, none of them NUL",
    {
      type: "ZoneDeleted",
      event: { zoneId: "z", dataSourceId: "cam", deletedAt: T0, movedTo: LONG, ifUpdatedAt: null },
    },
  ],
  ["detections.0.polygon.crs: more than 1024 bytes", recorded(seen(0, 1, { polygon: withCrs(LONG) }))],
  [
    "detections.0.position.crs: more than 1024 bytes",
    recorded(seen(0, 1, { position: { longitude: 0, latitude: 0, altitude: null, crs: LONG } })),
  ],
])("a text that outputs would repeat is bounded: %s", (reason, message) => {
  expect(read(message)).toEqual({ ok: false, reason });
});

test("a track has as many attributes as the API takes, and the API refuses one more", () => {
  expect(read(created({ properties: empty(256) }))).toMatchObject({ ok: true });
  expect(toProperties(empty(256))).toEqual(empty(256));
  expect(() => toProperties(empty(257))).toThrow("more than 256 attributes");
});

describe("the partition of a message", () => {
  const PARTITIONS = 12;
  const expected = partitionOfKey("cam", PARTITIONS);
  const readIn = (partition: number, message: CameraLogEvent) => {
    const codec = { decode: () => ({ ok: true, ...message }) } as unknown as Codec;
    const placed = { ...bounds, keyedPartitions: PARTITIONS };
    return readCameraLog(codec, { value: Buffer.alloc(0), recordedAt: T0, partition, bounds: placed });
  };

  test.each([created(), updated(), expired(0), recorded(seen(0, 1)), drawn()])(
    "is that of its data source, or the message is refused: $type",
    (message) => {
      const verdicts = Array.from({ length: PARTITIONS }, (_, partition) => readIn(partition, message).ok);

      expect(verdicts.flatMap((ok, partition) => (ok ? [partition] : []))).toEqual([expected]);
      expect(readIn(expected + 1, message)).toMatchObject({ reason: expect.stringContaining("murmur2") });
    },
  );

  test("is any for a change of the geofences, which is in all of them", () => {
    const message: CameraLogEvent = { type: "GeofencesAdvanced", event: { upTo: 1 } };

    expect(Array.from({ length: PARTITIONS }, (_, partition) => readIn(partition, message).ok)).not.toContain(false);
  });
});
