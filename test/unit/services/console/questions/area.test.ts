import { expect, test } from "vitest";
import { areaCondition, areaFault } from "../../../../../services/console/questions/area.ts";

const RING = [
  [4, 52],
  [5, 52],
  [5, 53],
  [4, 52],
];
const polygon = { type: "Polygon", coordinates: [RING] };

test("three numbers are a circle, however they are set apart", () => {
  const circle = { near: { point: { type: "Point", coordinates: [4.9, 52.4] }, radius: 250 } };
  for (const text of ["4.9, 52.4, 250", "4.9 52.4 250", " 4.9;52.4;250 "]) expect(areaCondition(text)).toEqual(circle);
});

test("a polygon may be wrapped as other programs write it", () => {
  const feature = { type: "Feature", properties: {}, geometry: polygon };
  for (const json of [polygon, feature, { type: "FeatureCollection", features: [feature] }]) {
    expect(areaFault(JSON.stringify(json))).toBeUndefined();
    expect(areaCondition(JSON.stringify(json))).toEqual({ in: polygon });
  }
});

test.each([
  ["", "Longitude, latitude and metres, or a polygon as GeoJSON."],
  ["4.9, 52.4", "Longitude, latitude and metres, or a polygon as GeoJSON."],
  ["4.9, north, 10", "Longitude, latitude and metres are numbers."],
  ["52.4, 104.9, 10", "The longitude comes first, then the latitude, in degrees."],
  ["4.9, 52.4, -1", "The metres are 0 or more."],
  ["{", "This is no GeoJSON."],
  ['{"type":"Point","coordinates":[4,5]}', "One polygon is needed."],
  ['{"type":"FeatureCollection","features":[{},{}]}', "One polygon is needed."],
  [
    JSON.stringify({ type: "Polygon", coordinates: [RING.slice(0, 3)] }),
    "Each ring of the polygon has four or more points, and ends where it begins.",
  ],
  [
    JSON.stringify({ type: "Polygon", coordinates: [[...RING.slice(0, 3), [1, 1]]] }),
    "Each ring of the polygon has four or more points, and ends where it begins.",
  ],
])("%s is no area", (text, fault) => {
  expect(areaFault(text)).toBe(fault);
  expect(areaCondition(text)).toEqual({});
});

test("an area is short enough for the address of a question", () => {
  const ring = [...Array.from({ length: 1_000 }, (_, i) => [4 + i / 1_000, 52]), [4, 52]];
  const text = JSON.stringify({ type: "Polygon", coordinates: [ring] });

  expect(areaFault(text)).toMatch("at most 8000 characters");
  expect(areaCondition(text)).toEqual({});
});
