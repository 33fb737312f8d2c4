import { expect, test } from "vitest";
import {
  contentOf,
  merged,
  patchOf,
  polygonOf,
  withOwnChange,
  type ZoneContent,
  type ZoneRecord,
} from "../../../../../services/console/data/zone-record.ts";
import type { SceneZone } from "../../../../../services/console/picture/scene.ts";

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

test("a change by the viewer replaces, adds or removes one zone", () => {
  const zoneOf = (id: string, name: string): ZoneRecord => ({
    id,
    name,
    active: true,
    polygon: { coordinates: [], crs: null },
    updatedAt: null,
  });
  const add = (zones: readonly SceneZone[], id: string, name: string) =>
    withOwnChange(zones, { id, zone: zoneOf(id, name) });
  const names = (zones: readonly SceneZone[]) => zones.map(({ name }) => name);
  const both = add(add([], "a", "Gate"), "b", "Yard");

  expect(names(both)).toEqual(["Gate", "Yard"]);
  expect(names(add(both, "a", "Door"))).toEqual(["Door", "Yard"]);
  expect(names(withOwnChange(both, { id: "a", zone: undefined }))).toEqual(["Yard"]);
});
