import { expect, test } from "vitest";
import {
  contentOf,
  merged,
  patchOf,
  polygonOf,
  type ZoneContent,
  type ZoneRecord,
} from "../../../../../services/console/data/zone-record.ts";

const crs = { type: "name", properties: { name: "pixels" } };
const zone: ZoneRecord = {
  id: "z",
  name: "Door",
  active: true,
  updatedAt: "2026-01-01T00:00:00.000Z",
  polygon: {
    crs,
    coordinates: [
      [
        [0, 0],
        [9, 0],
        [0, 9],
        [0, 0],
      ],
      [
        [1, 1],
        [2, 1],
        [1, 2],
        [1, 1],
      ],
    ],
  },
};
const base = contentOf(zone);
const moved = base.rings.with(0, [
  [0, 0],
  [20, 0],
  [0, 20],
]);

test("the editor's rings have no closing points, and get them back with the holes and the reference system", () => {
  expect(base.rings.map((ring) => ring.length)).toEqual([3, 3]);
  expect(polygonOf(base.rings, crs)).toEqual({ type: "Polygon", ...zone.polygon });
  expect(polygonOf(base.rings)).toEqual({ type: "Polygon", coordinates: zone.polygon.coordinates });
});

test("a patch has only what was changed", () => {
  expect(patchOf(zone, base)).toEqual({});
  expect(patchOf(zone, { ...base, name: "Gate" })).toEqual({ name: "Gate" });
  expect(patchOf(zone, { ...base, active: false })).toEqual({ active: false });
  expect(patchOf(zone, { ...base, rings: moved })).toEqual({ polygon: polygonOf(moved, crs) });
});

test("changes of different fields by two people both stay", () => {
  const mine = { ...base, rings: moved };
  const theirs = { ...base, name: "Gate", active: false };

  expect(merged(base, mine, theirs)).toEqual({
    content: { name: "Gate", active: false, rings: moved },
    taken: ["name", "active"],
    conflicts: [],
  });
});

test("different changes of one field are a conflict, equal ones are not", () => {
  const mine: ZoneContent = { ...base, name: "Gate", rings: moved };
  const theirs: ZoneContent = { ...base, name: "Exit", rings: [...moved] };

  expect(merged(base, mine, theirs)).toEqual({ content: mine, taken: [], conflicts: ["name"] });
});

test("without a change of mine, theirs is taken", () => {
  expect(merged(base, base, { ...base, rings: moved })).toEqual({
    content: { ...base, rings: moved },
    taken: ["rings"],
    conflicts: [],
  });
});
