// The truth comes from a camera that stands above a flat ground: a ray through a pixel meets the ground at one place.
import { describe, expect, test } from "vitest";
import { placeBy } from "../../../../projections/catalog/locate.ts";
import { distanceM, EARTH_RADIUS_M, RADIANS } from "../../../../projections/geometry/great-circle.ts";
import { homographyOf } from "../../../../projections/geometry/homography.ts";
import type { GeoPosition } from "../../../../schemas/events.ts";
import { createRandom, type Random } from "../../../../services/cli/demo/scene/random.ts";

interface Camera {
  readonly heightM: number;
  /** Below the horizontal, and clockwise from north. */
  readonly pitch: number;
  readonly heading: number;
  readonly focalPx: number;
  readonly foot: GeoPosition;
}

type Pixel = readonly [number, number];

const WIDTH = 1_920;
const HEIGHT = 1_080;
const FARTHEST_M = 2_000;

const place = (longitude: number, latitude: number): GeoPosition => ({
  longitude,
  latitude,
  altitude: null,
  crs: null,
});

function anyCamera({ between }: Random): Camera {
  return {
    heightM: between(2, 40),
    pitch: between(5, 80) * RADIANS,
    heading: between(0, 360) * RADIANS,
    focalPx: between(500, 2_500),
    foot: place(between(-180, 180), between(-70, 70)),
  };
}

/**
 * Returns the metres east and north of the camera's foot.
 * @returns undefined when the ray does not meet the ground.
 */
function groundOf({ heightM, pitch, heading, focalPx }: Camera, [x, y]: Pixel): Pixel | undefined {
  const [right, down] = [(x - WIDTH / 2) / focalPx, (y - HEIGHT / 2) / focalPx];
  const falls = Math.sin(pitch) + down * Math.cos(pitch);
  const ahead = Math.cos(pitch) - down * Math.sin(pitch);
  if (falls <= 0) return undefined;
  const [sideM, aheadM] = [(right * heightM) / falls, (ahead * heightM) / falls];
  return [
    aheadM * Math.sin(heading) + sideM * Math.cos(heading),
    aheadM * Math.cos(heading) - sideM * Math.sin(heading),
  ];
}

function onEarth({ foot }: Camera, [east, north]: Pixel): GeoPosition {
  const perMetre = 1 / (EARTH_RADIUS_M * RADIANS);
  const longitude = foot.longitude + (east * perMetre) / Math.cos(foot.latitude * RADIANS);
  const turned = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
  return place(turned, foot.latitude + north * perMetre);
}

/** A pixel whose ray meets the ground, not too far away. */
function seen(random: Random, camera: Camera): readonly [Pixel, GeoPosition] {
  for (;;) {
    const pixel: Pixel = [random.between(0, WIDTH), random.between(0, HEIGHT)];
    const ground = groundOf(camera, pixel);
    if (ground !== undefined && Math.hypot(...ground) < FARTHEST_M) return [pixel, onEarth(camera, ground)];
  }
}

function marked(random: Random, camera: Camera, count: number) {
  return Array.from({ length: count }, () => {
    const [[x, y], position] = seen(random, camera);
    return { name: "m", pixel: { x, y }, position };
  });
}

/** A box that stands on this pixel. */
const boxOn = ([x, y]: Pixel) => {
  const [left, right, top] = [x - 20, x + 20, y - 90];
  return { rings: [[left, top, right, top, right, y, left, y, left, top]], crs: null };
};

/** Twice the area of the smallest triangle of any three: 0 = three lie on a line. */
function spread(points: readonly Pixel[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [i, [ax, ay]] of points.entries()) {
    for (const [j, [bx, by]] of points.entries()) {
      for (const [cx, cy] of points.slice(Math.max(i, j) + 1)) {
        if (i < j) least = Math.min(least, Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)));
      }
    }
  }
  return least;
}

/** Random markers that fix the map well enough: no three nearly on a line. */
function wellMarked(random: Random, camera: Camera, count: number) {
  for (;;) {
    const markers = marked(random, camera, count);
    if (spread(markers.map(({ pixel: { x, y } }): Pixel => [x, y])) > 20_000) return markers;
  }
}

describe.each([4, 5, 6])("with %i markers", (count) => {
  test("a box stands where its camera sees its foot", () => {
    const random = createRandom(count);
    for (let i = 0; i < 500; i++) {
      const camera = anyCamera(random);
      const placed = placeBy({ markers: wellMarked(random, camera, count) });
      const [pixel, truth] = seen(random, camera);
      const found = placed?.(boxOn(pixel));
      if (found == null) throw new Error(`camera ${i} has no place for ${pixel}`);
      const depth = 1 + distanceM(camera.foot, truth);
      expect(distanceM(found, truth) / depth, JSON.stringify({ i, camera })).toBeLessThan(1e-3);
    }
  });

  test("what is at the horizon or above has no place", () => {
    const random = createRandom(count + 100);
    for (let i = 0; i < 500; i++) {
      const camera = anyCamera(random);
      const placed = placeBy({ markers: wellMarked(random, camera, count) });
      const horizon = HEIGHT / 2 - camera.focalPx * Math.tan(camera.pitch);
      for (const above of [1, 50, 5_000]) {
        expect(placed?.(boxOn([random.between(0, WIDTH), horizon - above])), `${i}`).toBeNull();
      }
    }
  });
});

const square: readonly Pixel[] = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
];
const map = (from: readonly Pixel[], to: readonly Pixel[]) =>
  homographyOf(from.map((point, i) => ({ from: point, to: to[i] ?? [0, 0] })));

test("four points of a known map fix it", () => {
  // x' = (2x + 3) / (0.001y + 1), y' = (x + 4y) / (0.001y + 1)
  const known = ([x, y]: Pixel): Pixel => {
    const depth = 0.001 * y + 1;
    return [(2 * x + 3) / depth, (x + 4 * y) / depth];
  };
  const found = map(square, square.map(known));

  for (const point of [
    [50, 50],
    [10, 90],
    [-500, 40],
    [1_000, 2_000],
  ] as const) {
    const [x, y] = found?.(point) ?? [];
    expect(x).toBeCloseTo(known(point)[0], 6);
    expect(y).toBeCloseTo(known(point)[1], 6);
  }
  expect(found?.([0, -1_001])).toBeUndefined();
});

test.each<[string, readonly Pixel[], readonly Pixel[]]>([
  ["three points", square.slice(1), square.slice(1)],
  ["a point twice", [...square.slice(1), [100, 100]], square],
  ["one point four times", square.map(() => [5, 5]), square],
  ["pixels on a line", square.map(([x, y]): Pixel => [x + 2 * y, 0.3 * (x + 2 * y)]), square],
  ["places on a line", square, square.map(([x, y]): Pixel => [x + 2 * y, 7])],
  [
    "three pixels of four on a line",
    [
      [0, 0],
      [50, 0],
      [100, 0],
      [0, 100],
    ],
    square,
  ],
  [
    "places crossed over, so that the horizon runs between the markers",
    square,
    [
      [0, 0],
      [100, 100],
      [100, 0],
      [0, 100],
    ],
  ],
])("%s fix no map", (_case, from, to) => {
  expect(map(from, to)).toBeUndefined();
});

test("across the antimeridian the places are where they are", () => {
  const east = (x: number) => (x > 50 ? -180 + (x - 50) * 1e-6 : 180 - (50 - x) * 1e-6);
  const markers = square.map(([x, y]) => ({ name: "m", pixel: { x, y }, position: place(east(x), y * 1e-6) }));
  const placed = placeBy({ markers });

  const found = placed?.(boxOn([75, 30]));
  expect(found?.longitude).toBeCloseTo(east(75), 9);
  expect(found?.latitude).toBeCloseTo(30e-6, 9);
});
