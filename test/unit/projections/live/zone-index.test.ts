import { expect, test } from "vitest";
import { createProbe, loadProbe } from "../../../../projections/geometry/shape.ts";
import { createLiveZone } from "../../../../projections/live/zone-changes.ts";
import { buildZoneIndex, findNear } from "../../../../projections/live/zone-index.ts";
import { polygon, rectangle, zone } from "./camera.ts";
import { createRandom } from "./random-log.ts";

test.each([3, 200])("of %i zones those whose box overlaps are found, in the order of their ids", (count) => {
  const random = createRandom(count);
  const place = () => [random() * 1_000, random() * 1_000] as const;
  const boxes = Array.from({ length: count }, () => {
    const [x, y] = place();
    return [x, y, x + 5 + random() * 100, y + 5 + random() * 100] as const;
  });
  const index = buildZoneIndex(
    boxes
      .map((box, i) => createLiveZone(zone({ zoneId: `z${1_000 + i}`, polygon: polygon(rectangle(...box)) })))
      .reverse(),
  );

  for (let i = 0; i < 500; i++) {
    const [x, y] = place();
    const probe = createProbe();
    loadProbe(probe, [rectangle(x, y, x + 60, y + 60)]);
    const ranks: number[] = [];
    ranks.length = findNear(index, probe, ranks);

    const expected = boxes.flatMap(([x0, y0, x1, y1], rank) =>
      x < x1 && x0 < x + 60 && y < y1 && y0 < y + 60 ? [rank] : [],
    );
    expect(ranks).toEqual(expected);
  }
});

test("inactive zones are not in the index", () => {
  const index = buildZoneIndex([createLiveZone(zone({ active: false })), createLiveZone(zone({ zoneId: "on" }))]);

  expect(index.zones.map((each) => each.definition.zoneId)).toEqual(["on"]);
});
