// The API and the readers of the log use the same checks: both refuse each flaw, each at its own path.
import { expect, test } from "vitest";
import { eventBoundsEnv, eventBoundsOf } from "../../../schemas/bounds.ts";
import { checkDetection } from "../../../schemas/checks.ts";
import { AppError } from "../../../schemas/errors.ts";
import type { Detection } from "../../../schemas/events.ts";
import type { TrackDetectionInput } from "../../../schemas/graphql/inputs.ts";
import { limits } from "../../../schemas/limits.ts";
import { toDetection } from "../../../services/api/write/detection.ts";
import { seen, T0 } from "../projections/live/camera.ts";

const bounds = eventBoundsOf(eventBoundsEnv.parse({}));
const LATE = T0 + bounds.maxFutureMs + 1;
const BEYOND = limits.maxTimestampMs + 1;
const LARGE = "x".repeat(limits.maxMetadataBytes);

const ring = (...points: number[][]) => ({ type: "Polygon", coordinates: [points] });
const flat = (...points: number[][]) => ({ rings: [points.flat()], crs: null });
const OPEN: readonly number[][] = [
  [0, 0],
  [9, 0],
  [9, 9],
  [0, 9],
];
const SHORT = OPEN.slice(0, 3);
const WILD = [...OPEN.slice(0, 2), [Number.NaN, 9], [0, 9], [0, 0]];
const OUTLINE = [...OPEN, [0, 0]];

const at = (coordinates: number[]) => ({ type: "Point", coordinates });
const place = (longitude: number, latitude: number, altitude: number | null = null) => {
  return { longitude, latitude, altitude, crs: null };
};

function doorOf(input: Partial<TrackDetectionInput>) {
  const pathOf = (i: number) => ["detections", i];
  const door = { bounds: { ...bounds, latest: T0 + bounds.maxFutureMs }, pathOf, locate: () => null };
  try {
    toDetection({ timestamp: T0, ...input }, 7, { trackId: "t", dataSourceId: "d", startTime: -BEYOND }, door);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, path: error.inputPath?.join(".") };
  }
}

const readerOf = (detection: Partial<Detection>) => checkDetection(seen(0, 1, detection), T0, bounds)?.path.join(".");

const rows: readonly [string, Partial<TrackDetectionInput>, string, Partial<Detection>, string][] = [
  ["a time too late", { timestamp: LATE }, "timestamp", { timestamp: LATE }, "timestamp"],
  ["a time before all calendars", { timestamp: -BEYOND }, "timestamp", { timestamp: -BEYOND }, "timestamp"],
  [
    "no ring",
    { polygon: { type: "Polygon", coordinates: [] } },
    "polygon.coordinates",
    { polygon: { rings: [], crs: null } },
    "polygon.rings",
  ],
  [
    "a short ring",
    { polygon: ring(...SHORT) },
    "polygon.coordinates.0",
    { polygon: flat(...SHORT) },
    "polygon.rings.0",
  ],
  ["an open ring", { polygon: ring(...OPEN) }, "polygon.coordinates.0", { polygon: flat(...OPEN) }, "polygon.rings.0"],
  [
    "a wild point",
    { polygon: ring(...WILD) },
    "polygon.coordinates.0.2",
    { polygon: flat(...WILD) },
    "polygon.rings.0.2",
  ],
  [
    "a longitude",
    { position: at([181, 0]) },
    "position.coordinates.0",
    { position: place(181, 0) },
    "position.longitude",
  ],
  [
    "a latitude",
    { position: at([0, -91]) },
    "position.coordinates.1",
    { position: place(0, -91) },
    "position.latitude",
  ],
  [
    "an altitude",
    { position: at([0, 0, Number.POSITIVE_INFINITY]) },
    "position.coordinates.2",
    { position: place(0, 0, Number.POSITIVE_INFINITY) },
    "position.altitude",
  ],
  ["a direction", { direction: Number.NaN }, "direction", { direction: Number.NaN }, "direction"],
  ["large metadata", { metadata: LARGE }, "metadata", { metadata: `"${LARGE}"` }, "metadata"],
];

test.each(rows)("%s is refused by both", (_name, input, doorPath, detection, readerPath) => {
  expect(doorOf(input)).toEqual({ code: "BAD_USER_INPUT", path: `detections.7.${doorPath}` });
  expect(readerOf(detection)).toBe(readerPath);
});

test("a whole detection is taken by both", () => {
  expect(
    doorOf({ polygon: ring(...OUTLINE), position: at([8, 50, 300]), direction: 90, metadata: {} }),
  ).toBeUndefined();
  expect(
    readerOf({ polygon: flat(...OUTLINE), position: place(8, 50, 300), direction: 90, metadata: "{}" }),
  ).toBeUndefined();
});
