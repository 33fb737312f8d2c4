import { expect, test } from "vitest";
import type { Box } from "../../../../projections/geometry/box.ts";
import { type MembershipRequest, membershipAt, type ZoneStay } from "../../../../projections/snapshot/membership.ts";
import { createRandom } from "../../../../services/cli/demo/scene/random.ts";
import { sharedArea } from "../../../support/oracles/oracle-area.ts";
import { zone } from "../../../support/scenes/zone.ts";
import { boxAround, every, START, spotsOf } from "./paths.ts";

const gate = (minX: number, maxX: number) =>
  zone({ polygon: { rings: [[minX, 0, maxX, 0, maxX, 100, minX, 100, minX, 0]], crs: null } });

/**
 * The track moves right by 10 px per second. Its box of 10 px is in the gate from 100 to 200 while its centre is in
 * 95 to 205.
 */
const spots = spotsOf(every(1, 0, 30), (second) => ({ box: boxAround({ x: 10 * second, y: 50 }, 10, 10) }));

const at = (second: number, more: Partial<MembershipRequest> = {}) => {
  const time = START + second * 1000;
  const box = boxAround({ x: 10 * second, y: 50 }, 10, 10);
  return membershipAt({ at: time, seenAt: time, box, zones: [gate(100, 200)], stays: [], spots, ...more });
};

const stay = (from: number, to: number | null, zoneId = "z1"): ZoneStay => ({
  zoneId,
  startTime: START + from * 1000,
  endTime: to === null ? null : START + to * 1000,
});

test("a zone counts while the box between two detections shares area with it", () => {
  const inside = every(0.1, 9, 21).filter((second) => "z1" in at(second));

  expect([inside[0], inside.at(-1)]).toEqual([9.6, 20.4]);
});

test("the percentage is the share of the box, by another computation too", () => {
  const random = createRandom(4);
  const corners = ({ minX, minY, maxX, maxY }: Box) => [
    [
      [minX, minY],
      [maxX, minY],
      [maxX, maxY],
      [minX, maxY],
      [minX, minY],
    ],
  ];
  for (let i = 0; i < 300; i++) {
    const [x, y] = [random.between(0, 300), random.between(-20, 120)];
    const box = boxAround({ x, y }, random.between(5, 80), random.between(5, 80));
    const area = sharedArea(corners({ minX: 100, maxX: 200, minY: 0, maxY: 100 }), corners(box));
    const percent = (100 * area) / ((box.maxX - box.minX) * (box.maxY - box.minY));

    const found = at(0, { box })["z1"];

    expect(found?.intersection_percent ?? 0).toBeCloseTo(percent, 8);
  }
});

test("the bottom centre decides where a zone asks for it, and the percentage stays that of the box", () => {
  const zones = [{ ...gate(100, 200), anchor: "bottom_center" as const }];

  expect(at(9.9, { zones })).toEqual({});
  expect(at(10.2, { zones })["z1"]).toMatchObject({ intersection_percent: expect.closeTo(70, 9) });
});

test("dwell counts from the recorded entry, although it lies before the window", () => {
  const stays = [stay(-500, -100), stay(-60, 21), stay(-90, null, "z2"), stay(22, null)];

  expect(at(12, { stays })).toEqual({
    z1: { zone_id: "z1", zone_name: "Gate", intersection_percent: 100, dwell_at_timestamp: 72 },
  });
});

test("without a recorded entry dwell counts from the first detection of the present run inside", () => {
  expect(at(12.5)["z1"]?.dwell_at_timestamp).toBe(2.5);
  expect(at(9.8)["z1"]?.dwell_at_timestamp).toBe(0);
});

test("beyond the last detection the intersection that it was in goes on", () => {
  const seenAt = START + 15_000;
  const stays = [stay(10, 15)];
  const box = boxAround({ x: 150, y: 50 }, 10, 10);

  expect(at(17, { seenAt, stays, box })["z1"]?.dwell_at_timestamp).toBe(7);
});

test("before the first detection nothing is negative", () => {
  const box = boxAround({ x: 150, y: 50 }, 10, 10);

  expect(at(-3, { seenAt: START, stays: [stay(0, null)], box })["z1"]?.dwell_at_timestamp).toBe(0);
});

test("a track without a box is in no zone", () => {
  expect(at(12, { box: null })).toEqual({});
});
