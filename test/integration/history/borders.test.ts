// Positions on borders: both sides of the API agree with each other and, where rounding plays no part, with the
// winding number.
import { beforeAll, expect, test } from "vitest";
import { matchesPoints } from "../../../projections/filters/kinds/point.ts";
import { distanceM } from "../../../projections/geometry/great-circle.ts";
import { flawOfRings } from "../../../projections/geometry/rings.ts";
import { detectionsCount, detectionsPage } from "../../../projections/history/queries/detections.ts";
import type { FilterPointInput } from "../../../schemas/filters.ts";
import { limits } from "../../../schemas/limits.ts";
import { isStrictlyInside } from "../../support/oracles/geofence-oracle.ts";
import { howMany } from "../../support/random/how-many.ts";
import { createDatabase, type Database } from "./database.ts";
import { type Random, START, seeded } from "./world.ts";

type Ring = [number, number][];

const SIDE = 12;
const POLYGONS = howMany({ short: 10, full: 25 });
/** Enough for cells with many edges. */
const LARGE_CORNERS = 900;
const random = seeded(77);
const large = star(random, LARGE_CORNERS, (value) => value / 3);
const lattice = Array.from({ length: (2 * SIDE + 1) ** 2 }, (_, i): [number, number] => [
  (i % (2 * SIDE + 1)) / 2,
  Math.floor(i / (2 * SIDE + 1)) / 2,
]);
const onLarge = large.flatMap(([x, y], i): Ring => {
  const [nextX, nextY] = large[(i + 1) % large.length] ?? [x, y];
  return [
    [x, y],
    [(x + nextX) / 2, (y + nextY) / 2],
  ];
});
const tenths = Array.from({ length: 1_000 }, (): [number, number] => [
  Math.round(random() * SIDE * 10) / 10,
  Math.round(random() * SIDE * 10) / 10,
]);
const positions = [...lattice, ...onLarge, ...tenths];

let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  const rows = positions.map(([longitude, latitude], i) => ({
    data_source_id: "ds",
    track_id: String(i),
    timestamp: START + i,
    longitude,
    latitude,
  }));
  await database.client.insert({ table: "detections_v1", values: rows, format: "JSONEachRow" });
});

/** Around the middle, so that no two edges cross; corners are where `snap` puts them. */
function star(next: Random, corners: number, snap: (value: number) => number): Ring {
  const points = Array.from({ length: corners }, (_, i): [number, number] => {
    const [angle, reach] = [(2 * Math.PI * i) / corners, 1 + next() * (SIDE / 2 - 1)];
    return [snap(SIDE / 2 + Math.cos(angle) * reach), snap(SIDE / 2 + Math.sin(angle) * reach)];
  });
  return [...points, points[0] ?? [0, 0]];
}

const hole: Ring = [
  [5, 5],
  [7, 5.5],
  [7, 7],
  [5, 7],
  [5, 5],
];

function polygons(): Ring[][] {
  const found: Ring[][] = [];
  while (found.length < POLYGONS) {
    const outer = star(random, 3 + Math.floor(random() * 25), Math.round);
    const rings = random() < 0.5 ? [outer] : [outer, hole];
    if (flawOfRings(rings.map((ring) => ring.flat())) === undefined) found.push(rings);
  }
  return found;
}

const filterOf = (coordinates: Ring[]): FilterPointInput => ({ in: { type: "Polygon", coordinates } });

const inMemory = (filter: FilterPointInput, indexes: readonly number[]): string[] =>
  indexes
    .filter((i) => {
      const [longitude = 0, latitude = 0] = positions[i] ?? [];
      return matchesPoints(filter, [{ longitude, latitude, altitude: null, crs: null }]);
    })
    .map(String);

async function inHistory(position: FilterPointInput): Promise<string[]> {
  const history = { client: database.client, dataSourceIds: () => [] };
  const { edges } = await detectionsPage(history, { filter: { position }, sort: [], first: positions.length });
  expect(await detectionsCount(history, { position })).toBe(edges.length);
  return edges.map(({ node }) => node.trackId);
}

const every = positions.map((_, i) => i);

test("a position on a border is outside for the history and in memory, as for the winding number", async () => {
  let borders = 0;
  for (const rings of polygons()) {
    const filter = filterOf(rings);
    const expected = lattice.flatMap((at, i) => (isStrictlyInside(at, { rings }) ? [String(i)] : []));
    borders += lattice.filter(([x, y]) =>
      rings.flat().some(([cornerX, cornerY]) => x === cornerX && y === cornerY),
    ).length;

    const found = await inHistory(filter);
    expect(found.filter((id) => Number(id) < lattice.length)).toEqual(expected);
    expect(found).toEqual(inMemory(filter, every));
  }
  expect(borders).toBeGreaterThan(POLYGONS);
});

test("they agree to the last bit on the border of a large polygon", async () => {
  expect(flawOfRings([large.flat()])).toBeUndefined();
  const filter = filterOf([large]);
  const found = await inHistory(filter);

  expect(found).toEqual(inMemory(filter, every));
  const corners = new Set(onLarge.flatMap((_, i) => (i % 2 === 0 ? [String(lattice.length + i)] : [])));
  expect(found.filter((id) => corners.has(id))).toEqual([]);
});

test("they agree on a polygon with more edges than lists by cells hold", async () => {
  const ring = star(seeded(78), 2_000, (value) => value);
  expect(flawOfRings([ring.flat()])).toBeUndefined();
  const filter = filterOf([ring]);

  expect(await inHistory(filter)).toEqual(inMemory(filter, every));
});

const circle = (corners: number, radius: number): Ring => {
  const points = Array.from({ length: corners }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / corners;
    return [Math.cos(angle) * radius, Math.sin(angle) * radius];
  });
  return [...points, points[0] ?? [0, 0]];
};

test.each([
  ["the largest polygon", circle(4, limits.maxCoordinate)],
  ["the largest polygon of many edges", circle(40, limits.maxCoordinate)],
  ["a polygon of no more than a few atoms", circle(40, 1e-12)],
  ["a polygon near the smallest numbers", circle(40, 1e-310)],
])("%s is answered by the history as in memory", async (_name, ring) => {
  const filter = filterOf([ring]);
  expect(await inHistory(filter)).toEqual(inMemory(filter, every));
});

test("distances of any length agree, from any centre on the Earth", async () => {
  const random = seeded(79);
  for (let i = 0; i < 8; i++) {
    const [longitude, latitude] = [random() * 360 - 180, random() * 180 - 90];
    const [x = 0, y = 0] = positions[Math.floor(random() * positions.length)] ?? [];
    const metres = distanceM({ longitude, latitude }, { longitude: x, latitude: y });
    for (const radius of [metres * (1 - 1e-6), metres * (1 + 1e-6)]) {
      const filter: FilterPointInput = {
        near: { point: { type: "Point", coordinates: [longitude, latitude] }, radius },
      };
      expect(await inHistory(filter)).toEqual(inMemory(filter, every));
    }
  }
});

test("distances from the farthest centre agree", async () => {
  const near = (longitude: number): FilterPointInput => ({
    near: { point: { type: "Point", coordinates: [longitude, 5] }, radius: 400_000 },
  });
  for (const longitude of [-360, 0, 360]) {
    const filter = near(longitude);
    const found = await inHistory(filter);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(inMemory(filter, every));
  }
});
