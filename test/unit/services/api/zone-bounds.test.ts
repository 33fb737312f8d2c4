import { expect, test } from "vitest";
import { createZonesView } from "../../../../projections/catalog/zones-view.ts";
import { AppError } from "../../../../schemas/errors.ts";
import { parseOutline, parseZonePolygon } from "../../../../services/api/write/polygon.ts";
import { createVertexQuota } from "../../../../services/api/write/vertex-quota.ts";
import { zone } from "../../../support/scenes/zone.ts";

const points = (count: number): number[][] => [
  ...Array.from({ length: count - 1 }, (_, i) => [Math.cos(i), Math.sin(i)].map((value) => value * (i + 1))),
  [1, 0],
];

function refusal(run: () => unknown) {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message, path: error.inputPath };
  }
}

test("a polygon with too many vertices is refused with the bound and its setting", () => {
  const input = { type: "Polygon", coordinates: [points(6), points(5)] };

  expect(refusal(() => parseOutline(input, 10, ["polygon"]))).toEqual({
    code: "BAD_USER_INPUT",
    message: "the polygon has 11 vertices, a detection may have 10 (MAX_DETECTION_VERTICES)",
    path: ["polygon", "coordinates"],
  });
  expect(refusal(() => parseZonePolygon(input, 10, ["polygon"]))?.message).toBe(
    "the polygon has 11 vertices, a zone may have 10 (MAX_ZONE_VERTICES)",
  );
});

test("the zones of a data source share its room, with those that are being written", () => {
  const view = viewWithZone();
  const quota = createVertexQuota(14);
  const giveBack = quota.take(zone({ zoneId: "b" }), view);

  expect(refusal(() => quota.take(zone({ zoneId: "c" }), view))).toEqual({
    code: "BAD_USER_INPUT",
    message: "the zones of one data source may have 14 vertices together (MAX_DATA_SOURCE_VERTICES)",
    path: ["zone", "polygon"],
  });
  expect(refusal(() => quota.take(zone({ zoneId: "c", dataSourceId: "d2" }), view))).toBeUndefined();
  giveBack();
  expect(refusal(() => quota.take(zone({ zoneId: "c" }), view))).toBeUndefined();
});

test("a zone that does not grow needs no room, one that moves needs it where it goes", () => {
  const view = viewWithZone();
  const quota = createVertexQuota(4);

  expect(refusal(() => quota.take(zone({ zoneId: "a", name: "renamed" }), view))).toBeUndefined();
  expect(refusal(() => quota.take(zone({ zoneId: "a", dataSourceId: "d2" }), view))?.code).toBe("BAD_USER_INPUT");
});

/** It has the zone a of the data source d1. */
function viewWithZone() {
  const view = createZonesView();
  view.apply({
    zoneId: "a",
    dataSourceId: "d1",
    zone: zone({ zoneId: "a" }),
    movedTo: null,
    refusal: null,
    partition: 0,
    offset: 0,
  });
  return view;
}
