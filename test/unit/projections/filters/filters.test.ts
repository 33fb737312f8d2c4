import { expect, test } from "vitest";
import type { PlacedDataSource } from "../../../../projections/catalog/placed.ts";
import { checkFilter } from "../../../../projections/filters/check.ts";
import { dataSourceFields } from "../../../../projections/filters/data-sources.ts";
import { numberTest } from "../../../../projections/filters/kinds/number.ts";
import { matchesPoints } from "../../../../projections/filters/kinds/point.ts";
import { stringField, stringTest } from "../../../../projections/filters/kinds/string.ts";
import { matches } from "../../../../projections/filters/match.ts";
import { zoneFields } from "../../../../projections/filters/zones.ts";
import type { FilterDataSourceInput, FilterZoneInput } from "../../../../schemas/filters.ts";
import { zone } from "../../../support/scenes/zone.ts";

const gate = zone({
  zoneId: "z1",
  dataSourceId: "d1",
  name: "North Gate",
  active: true,
  createdAt: 100,
  updatedAt: 200,
});

test.each<[FilterZoneInput, boolean]>([
  [{}, true],
  [{ id: { eq: "z1" } }, true],
  [{ id: { ne: "z1" } }, false],
  [{ id: { in: ["z0", "z1"] } }, true],
  [{ id: { in: [] } }, false],
  [{ id: { eq: "z1", ne: "z2" } }, true],
  [{ id: { eq: null } }, true],
  [{ name: { like: "GATE" } }, true],
  [{ name: { like: "%" } }, false],
  [{ name: { eq: "north gate" } }, false],
  [{ name: { attributeExists: true } }, true],
  [{ name: { attributeExists: false } }, false],
  [{ active: { eq: true } }, true],
  [{ active: { ne: true } }, false],
  [{ createdAt: { eq: 100 } }, true],
  [{ createdAt: { between: [100, 100] } }, true],
  [{ createdAt: { between: [101, 200] } }, false],
  [{ updatedAt: { between: [100, 200] } }, true],
  [{ id: { eq: "z1" }, dataSourceId: { eq: "d2" } }, false],
  [{ and: [] }, true],
  [{ or: [] }, false],
  [{ and: [{ id: { eq: "z1" } }, { active: { eq: false } }] }, false],
  [{ or: [{ id: { eq: "z2" } }, { active: { eq: true } }] }, true],
  [{ not: { id: { eq: "z1" } } }, false],
  [{ not: { not: { id: { eq: "z1" } } } }, true],
  [{ id: { eq: "z1" }, not: { name: { like: "south" } }, or: [{ active: { eq: true } }] }, true],
])("zone filter %j gives %s", (filter, expected) => {
  expect(matches(zoneFields, filter, gate)).toBe(expected);
});

const labels = ["outside", "fixed"];
const camera: PlacedDataSource = {
  ...{ id: "d1", name: "Yard", type: "VIDEO_DEVICE" as const, labels, createdAt: 1_000, updatedAt: 1_000 },
  ...{ deviceId: "d1", siteId: null, pointOfInterestId: null, position: null },
};

test.each<[FilterDataSourceInput, boolean]>([
  [{ type: { eq: "VIDEO_DEVICE" } }, true],
  [{ type: { like: "video" } }, true],
  [{ labels: { in: ["outside"] } }, true],
  [{ labels: { in: ["outside", "inside"] } }, false],
  [{ labels: { in: [] } }, true],
  [{ labels: { eq: ["fixed", "outside"] } }, true],
  [{ labels: { eq: ["outside"] } }, false],
  [{ position: { attributeExists: false } }, true],
  [{ position: { attributeExists: true } }, false],
  [{ position: { near: { point: { type: "Point", coordinates: [0, 0] }, radius: 1e9 } } }, false],
])("data source filter %j gives %s", (filter, expected) => {
  expect(matches(dataSourceFields, filter, camera)).toBe(expected);
});

test("a missing value passes only ne and attributeExists: false", () => {
  expect(stringTest({ ne: "x" })(null)).toBe(true);
  expect(stringTest({ attributeExists: false })(null)).toBe(true);
  for (const filter of [{ eq: "x" }, { in: ["x"] }, { like: "" }, { attributeExists: true }]) {
    expect(stringTest(filter)(null)).toBe(false);
  }
  expect(numberTest({ ge: 0 })(null)).toBe(false);
  expect(numberTest({})(null)).toBe(true);
});

test.each([
  [{ lt: 5 }, false],
  [{ le: 5 }, true],
  [{ gt: 5 }, false],
  [{ ge: 5 }, true],
  [{ ge: 5, le: 5 }, true],
  [{ between: [1, 5] }, true],
  [{ between: [5, 1] }, false],
  [{ in: [4, 5] }, true],
])("number filter %j gives %s for 5", (filter, expected) => {
  expect(numberTest(filter)(5)).toBe(expected);
});

test("tags are compared in any case", () => {
  const tag = stringField({ value: (text: string) => text, anyCase: true });

  expect(tag.test({ eq: "CAR" })("car")).toBe(true);
  expect(tag.test({ in: ["Bus", "Car"] })("cAr")).toBe(true);
  expect(tag.test({ ne: "car" })("CAR")).toBe(false);
});

const ring = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0],
];
const hole = [
  [4, 4],
  [6, 4],
  [6, 6],
  [4, 6],
  [4, 4],
];
const at = (longitude: number, latitude: number) => ({ longitude, latitude, altitude: null, crs: null });

test("a point in a polygon is inside, one in its hole is not", () => {
  const filter = { in: { type: "Polygon", coordinates: [ring, hole] } };

  expect(matchesPoints(filter, [at(1, 1)])).toBe(true);
  expect(matchesPoints(filter, [at(5, 5)])).toBe(false);
  expect(matchesPoints(filter, [at(11, 1)])).toBe(false);
  expect(matchesPoints(filter, [at(11, 1), at(1, 1)])).toBe(true);
  expect(matchesPoints(filter, [])).toBe(false);
});

test("near is measured in metres along the ground", () => {
  // One degree of latitude is 111.2 km.
  const near = (radius: number) => ({ near: { point: { type: "Point", coordinates: [13, 52] }, radius } });

  expect(matchesPoints(near(111_000), [at(13, 53)])).toBe(false);
  expect(matchesPoints(near(111_400), [at(13, 53)])).toBe(true);
  expect(matchesPoints(near(0), [at(13, 52)])).toBe(true);
});

test.each([
  [{ createdAt: { between: [1] } }, ["filter", "createdAt", "between"]],
  [{ or: [{}, { time: { between: [1, 2, 3] } }] }, ["filter", "or", 1, "time", "between"]],
  [{ position: { in: { coordinates: [] } } }, ["filter", "position", "in", "coordinates"]],
  [{ position: { in: { coordinates: [[[0, 0]]] } } }, ["filter", "position", "in", "coordinates", 0]],
  [{ position: { in: { coordinates: [ring.slice(0, 4)] } } }, ["filter", "position", "in", "coordinates", 0]],
  [
    { position: { near: { point: { coordinates: [1] }, radius: 1 } } },
    ["filter", "position", "near", "point", "coordinates"],
  ],
  [{ position: { near: { point: { coordinates: [1, 2] }, radius: -1 } } }, ["filter", "position", "near", "radius"]],
])("filter %j is refused with its path", (filter, path) => {
  expect(() => checkFilter(filter)).toThrow(expect.objectContaining({ code: "BAD_USER_INPUT", inputPath: path }));
});

const square = (half: number) => [
  [-half, -half],
  [half, -half],
  [half, half],
  [-half, half],
  [-half, -half],
];

test.each([
  [{ in: { coordinates: [square(1e10)] } }, "between -1000000000 and 1000000000"],
  [{ in: { coordinates: [square(1e21)] } }, "between -1000000000 and 1000000000"],
  [{ near: { point: { coordinates: [361, 0] }, radius: 1 } }, "longitude lies between -360 and 360"],
  [{ near: { point: { coordinates: [1e10, 0] }, radius: 1 } }, "-1000000000 and 1000000000"],
  [{ near: { point: { coordinates: [0, -91] }, radius: 1 } }, "latitude lies between -90 and 90"],
])("coordinates %j are refused with the bound", (position, bound) => {
  const refused = { code: "BAD_USER_INPUT", message: expect.stringContaining(bound) };
  expect(() => checkFilter({ position })).toThrow(expect.objectContaining(refused));
});

test("coordinates at the bounds pass the check", () => {
  const near = { point: { coordinates: [-360, 90] }, radius: 1e300 };
  expect(() => checkFilter({ position: { in: { coordinates: [square(1e9)] }, near } })).not.toThrow();
});

test("a filter nested without end is refused", () => {
  let filter: object = {};
  for (let i = 0; i < 100_000; i++) filter = { not: filter };

  expect(() => checkFilter(filter)).toThrow("nested too deeply");
});

test("a good filter passes the check", () => {
  const position = { in: { coordinates: [ring, hole] }, near: { point: { coordinates: [1, 2] }, radius: 0 } };

  expect(() =>
    checkFilter({ position, id: { in: ["a"] }, time: { between: [1, 2] }, and: [], not: null }),
  ).not.toThrow();
});
