import { expect, test } from "vitest";
import { type Box, compareReplays, compareStretches, logOf } from "../../../../support/oracles/replay-equality.ts";
import { polygon, rectangle, T0, zone } from "../../../projections/live/camera.ts";
import { below, createRandom, type Random } from "../../../projections/live/random-log.ts";

const zones = [
  zone({ zoneId: "a", polygon: polygon(rectangle(0, 0, 120, 100)) }),
  zone({ zoneId: "b", polygon: polygon(rectangle(80, 0, 200, 100)) }),
];

/** Walkers that come and go; some pause for longer than the time to live and come back. */
function walk(random: Random): Box[] {
  return Array.from({ length: 8 }, (_, i) => {
    const boxes: Box[] = [];
    let at = T0 + below(random, 60) * 1_000;
    let x = below(random, 250);
    for (let n = 5 + below(random, 40); n > 0; n--) {
      boxes.push({ trackId: `t${"x".repeat(i)}`, at, ring: rectangle(x - 8, 40, x + 8, 60) });
      at += random() < 0.04 ? 20_000 : 500;
      x += below(random, 31) - 15;
    }
    return boxes;
  }).flat();
}

test("the signals of a replay are the live ones of its tracks, whichever of them are asked for", () => {
  let signals = 0;
  for (let seed = 1; seed <= 3; seed++) {
    const random = createRandom(seed);
    const boxes = walk(random);
    const ids = [...new Set(boxes.map(({ trackId }) => trackId))];
    const several = ids.filter(() => random() < 0.3);
    const asked = [...ids.map((id) => [id]), several, ids].filter((each) => each.length > 0);

    const compared = compareReplays(logOf(boxes, zones), asked);

    expect(compared.difference).toBeUndefined();
    signals += compared.signals;
  }
  expect(signals).toBeGreaterThan(1_000);
});

test("the signals of an event time or of offsets are those that the live ones had in them", () => {
  let signals = 0;
  for (let seed = 1; seed <= 3; seed++) {
    const random = createRandom(seed);
    const log = logOf(walk(random), zones);
    const windows = Array.from({ length: 6 }, () => {
      const from = T0 + below(random, 60_000);
      return { kind: "window" as const, from, to: from + 1 + below(random, 30_000) };
    });
    const spans = Array.from({ length: 6 }, () => {
      const from = below(random, log.length - 20);
      const to = from + 1 + below(random, 10);
      return {
        kind: "offsets" as const,
        spans: [
          { from, to },
          { from: to + 5, to: to + 5 + below(random, 100) },
        ],
      };
    });

    const compared = compareStretches(log, [...windows, ...spans]);

    expect(compared.difference).toBeUndefined();
    signals += compared.signals;
  }
  expect(signals).toBeGreaterThan(1_000);
});
