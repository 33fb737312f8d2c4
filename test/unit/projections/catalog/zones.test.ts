import { expect, test } from "vitest";
import { evolveZone } from "../../../../projections/catalog/zones.ts";
import type { Zone, ZoneFields } from "../../../../schemas/events.ts";
import { SQUARE, zone } from "../../../support/scenes/zone.ts";

interface Change extends Partial<ZoneFields> {
  readonly updatedAt: number;
  readonly ifUpdatedAt?: number;
}

/** The zone of the scene, whose time is 1 000, after these changes. */
function changed(...changes: readonly Change[]): Zone | undefined {
  return changes.reduce<Zone | undefined>((before, { updatedAt, ifUpdatedAt = null, ...fields }) => {
    const unsaid = { polygon: null, active: null, anchor: null, enterDetections: null, exitDelayMs: null };
    const set = { name: null, ...unsaid, ...fields };
    const event = { zoneId: "z1", dataSourceId: "d1", updatedAt, ifUpdatedAt, set, cleared: [] };
    return evolveZone(before, { type: "ZoneUpdated", event });
  }, zone());
}

test.each([
  ["of the same time", { name: "North", updatedAt: 1_000 }, 1_001],
  ["of a clock that is behind", { name: "North", updatedAt: 900 }, 1_001],
  ["of a clock that is behind, on a true condition", { name: "North", updatedAt: 900, ifUpdatedAt: 1_000 }, 1_001],
  ["of a later time", { active: false, updatedAt: 2_000 }, 2_000],
])("a change %s gives the zone a later time", (_, change, updatedAt) => {
  expect(changed(change)?.updatedAt).toBe(updatedAt);
});

test("a new boundary is a change, and the same boundary is none", () => {
  const boundary = (rings: number[][]) => changed({ polygon: { rings, crs: null }, updatedAt: 1_000 })?.updatedAt;

  expect(boundary([SQUARE.map((place) => 2 * place)])).toBe(1_001);
  expect(boundary([[...SQUARE]])).toBe(1_000);
});

test("an update to what the zone is already gives it the time of the update", () => {
  expect(changed({ name: "Gate", updatedAt: 2_000 })).toEqual(zone({ updatedAt: 2_000 }));
  expect(changed({ name: "Gate", updatedAt: 900 })).toEqual(zone());
});

test("an update on a false condition changes nothing, not the time either", () => {
  const first = { name: "North", updatedAt: 1_500, ifUpdatedAt: 1_000 };

  expect(changed(first, { ...first, updatedAt: 2_000 })).toEqual(zone({ name: "North", updatedAt: 1_500 }));
});

test("a deletion on a false condition leaves the zone as it is", () => {
  const event = { zoneId: "z1", dataSourceId: "d1", deletedAt: 2_000, movedTo: null };
  const after = (ifUpdatedAt: number | null) =>
    evolveZone(zone(), { type: "ZoneDeleted", event: { ...event, ifUpdatedAt } });

  expect([after(999), after(1_000), after(null)]).toEqual([zone(), undefined, undefined]);
});
