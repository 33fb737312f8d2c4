import { booleanValid } from "@turf/boolean-valid";
import { polygon } from "@turf/helpers";
import { expect, test } from "vitest";
import { sharedArea } from "../../../../support/oracles/oracle-area.ts";
import { type TestBox, zonesForBoxes, zonesGeoJson } from "../../../../support/scenes/zones-for.ts";

const boxes: TestBox[] = Array.from({ length: 11 }, (_, n) => [100 * n + 0.1, 200, 100 * n + 60.7, 333.3]);
const image = { width: 1_920, height: 1_080 };
const zones = zonesForBoxes(boxes, image);

test("there are many, all valid, each with a name of its own", () => {
  expect(zones.length).toBeGreaterThanOrEqual(16);
  expect(new Set(zones.map(({ name }) => name)).size).toBe(zones.length);
  for (const { name, rings } of zones)
    expect(booleanValid(polygon(rings.map((ring) => ring.map((point) => [...point])))), name).toBe(true);
  expect(zonesForBoxes(boxes, image)).toEqual(zones);
});

test("some only touch the box they were made for, one is the same as it", () => {
  const zone = (name: string) => zones.find((candidate) => candidate.name === name)?.rings ?? [];
  const ring = ([left, top, right, bottom]: TestBox) => [
    [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ],
  ];
  const [, , second, , fourth, , sixth] = boxes.map(ring);

  expect(sharedArea(zone("same-as-a-box"), second ?? [])).toBeCloseTo(60.6 * 133.3, 6);
  expect(sharedArea(zone("right-of-a-box"), fourth ?? [])).toBe(0);
  expect(sharedArea(zone("below-a-box"), sixth ?? [])).toBe(0);
});

test("they can be written as GeoJSON", () => {
  expect(zonesGeoJson(zones).features[0]).toMatchObject({ properties: { name: "square" }, type: "Feature" });
});
