import { expect, test } from "vitest";
import { createZonesAsOf } from "../../../../projections/snapshot/zones-as-of.ts";
import type { Zone, ZoneVersion } from "../../../../schemas/events.ts";
import { zone } from "../../../support/scenes/zone.ts";

let offset = 0;
const version = (overrides: Partial<ZoneVersion>): ZoneVersion => ({
  zoneId: "z1",
  dataSourceId: "d1",
  zone: null,
  movedTo: null,
  refusal: null,
  partition: 0,
  offset: offset++,
  ...overrides,
});

const written = (updatedAt: number, fields: Partial<Zone> = {}): ZoneVersion => {
  const made = zone({ updatedAt, ...fields });
  return version({ zone: made, zoneId: made.zoneId, dataSourceId: made.dataSourceId });
};

/** `recordedAt` in the second place dates a deletion. */
function zonesAfter(...versions: readonly (readonly [ZoneVersion, recordedAt?: number, logId?: string])[]) {
  const zones = createZonesAsOf();
  for (const [each, recordedAt = 9_999, logId = "log"] of versions) zones.apply(each, { recordedAt, logId });
  return (time: number, source = "d1") => zones.zonesAt(source, time)?.map(({ zoneId, name }) => `${zoneId} ${name}`);
}

test("a zone is there from when it was written, as it was then", () => {
  const at = zonesAfter([written(100, { name: "a" })], [written(200, { name: "b" })], [written(150, { zoneId: "z2" })]);

  expect([50, 100, 199, 200].map((time) => at(time))).toEqual([[], ["z1 a"], ["z1 a", "z2 Gate"], ["z1 b", "z2 Gate"]]);
});

test("a deleted, inactive or refused one is not", () => {
  const deleted = zonesAfter([written(100)], [version({}), 200]);
  const inactive = zonesAfter([written(100)], [written(200, { active: false })]);
  const refused = zonesAfter([written(100)], [version({ refusal: "no_room" }), 150]);

  expect([deleted(199), deleted(200)]).toEqual([["z1 Gate"], []]);
  expect([inactive(199), inactive(200)]).toEqual([["z1 Gate"], []]);
  expect(refused(200)).toEqual(["z1 Gate"]);
});

test("a zone that moved is at one data source before, and at the other one after", () => {
  const at = zonesAfter([written(100)], [version({ movedTo: "d2" }), 200], [written(205, { dataSourceId: "d2" })]);

  expect([at(150), at(150, "d2"), at(250), at(250, "d2")]).toEqual([["z1 Gate"], [], [], ["z1 Gate"]]);
});

test("a deletion that the topic has late does not hide the zone that was made after it", () => {
  const at = zonesAfter([written(100, { name: "a" })], [version({}), 500], [written(300, { name: "b" })]);

  expect([at(299), at(300)]).toEqual([["z1 a"], ["z1 b"]]);
});

test("a version that comes again changes nothing, and the positions of another log are its own", () => {
  const [first, second] = [written(100, { name: "a" }), written(200, { name: "b" })];
  const again = zonesAfter([first], [second], [first]);
  const replaced = zonesAfter([second], [{ ...written(300, { name: "c" }), offset: 0 }, 9_999, "other log"]);

  expect(again(250)).toEqual(["z1 b"]);
  expect(replaced(350)).toEqual(["z1 c"]);
});

test("what was before the versions that are kept is not known", () => {
  const at = zonesAfter(...Array.from({ length: 300 }, (_, i) => [written(1_000 + i)] as const));

  expect(at(1_000)).toBeUndefined();
  expect(at(1_299)).toEqual(["z1 Gate"]);
});
