import { expect, test } from "vitest";
import { eventBoundsEnv } from "../../../../../../schemas/bounds.ts";
import { AppError } from "../../../../../../schemas/errors.ts";
import { parseZonePolygon } from "../../../../../../services/api/write/polygon.ts";
import { flawOfDraft, MOST_VERTICES } from "../../../../../../services/console/picture/edit/flaws.ts";
import { meetingsOf } from "../../../../../../services/console/picture/edit/meetings.ts";
import type { Point, Ring } from "../../../../../../services/console/picture/view.ts";
import { createRandom, type Random } from "../../../../projections/live/random-log.ts";

const square: Ring = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
];
const bowTie: Ring = [
  [0, 0],
  [10, 10],
  [10, 0],
  [0, 10],
];

const closed = (...rings: Ring[]) => ({ rings, isOpen: false });

/** Whether the API takes the boundary as that of a zone. */
function isAccepted(rings: readonly Ring[]): boolean {
  const coordinates = rings.map((ring) => [...ring, ...ring.slice(0, 1)].map((point) => [...point]));
  try {
    parseZonePolygon({ type: "Polygon", coordinates }, MOST_VERTICES, []);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

test("a boundary on a small grid, where nearly everything touches, is refused exactly when the API refuses it", () => {
  const random = createRandom(11);
  let accepted = 0;
  for (let i = 0; i < 5_000; i++) {
    const grid = 2 + Math.floor(random() * 8);
    const rings = Array.from({ length: 1 + Math.floor(random() * 3) }, () => anyRing(random, grid));
    const isGood = isAccepted(rings);
    if (isGood) accepted++;

    expect(flawOfDraft(closed(...rings)) === undefined, JSON.stringify(rings)).toBe(isGood);
  }
  expect(accepted).toBeGreaterThan(100);
});

test("lines that the API takes for crossing are shown at a place on both", () => {
  const random = createRandom(12);
  let shown = 0;
  for (let i = 0; i < 5_000; i++) {
    const rings = [anyRing(random, 8)];
    const meetings = meetingsOf(rings, false);
    const flaw = flawOfDraft(closed(...rings));
    if (flaw?.text.startsWith("Lines")) expect(meetings.length, JSON.stringify(rings)).toBeGreaterThan(0);
    if (flaw === undefined) expect(meetings, JSON.stringify(rings)).toEqual([]);
    for (const { at, edges } of meetings) {
      shown++;
      for (const { from, to } of edges) expect(distanceTo(at, from, to)).toBeLessThan(1e-9);
    }
  }
  expect(shown).toBeGreaterThan(1_000);
});

test("a bow tie is marked where its lines cross", () => {
  expect(flawOfDraft(closed(bowTie))).toMatchObject({ text: expect.stringContaining("cross"), places: [[5, 5]] });
});

test.each<[string, readonly Ring[], string]>([
  ["two corners", [square.slice(0, 2)], "three corners"],
  [
    "corners on one line",
    [
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    ],
    "no area",
  ],
  [
    "a corner out of bounds",
    [
      [
        [0, 0],
        [2e9, 0],
        [0, 5],
      ],
    ],
    "further away",
  ],
  [
    "a hole outside",
    [
      square,
      [
        [20, 20],
        [30, 20],
        [20, 30],
      ],
    ],
    "hole is outside",
  ],
  [
    "a hole within a hole",
    [
      square,
      [
        [1, 1],
        [9, 1],
        [9, 9],
        [1, 9],
      ],
      [
        [3, 3],
        [4, 3],
        [3, 4],
      ],
    ],
    "hole is outside",
  ],
  [
    "a hole across the boundary",
    [
      square,
      [
        [5, 5],
        [15, 5],
        [5, 8],
      ],
    ],
    "cross",
  ],
  [
    "a whisker",
    [
      [
        [0, 0],
        [10, 0],
        [10, 5],
        [15, 7],
        [10, 5],
        [10, 10],
      ],
    ],
    "cross",
  ],
])("%s is refused in words", (_, rings, words) => {
  expect(flawOfDraft(closed(...rings))?.text).toContain(words);
});

test("a drawing that is not finished is refused only for what no further corner mends", () => {
  expect(flawOfDraft({ rings: [[]], isOpen: true })).toBeUndefined();
  expect(
    flawOfDraft({
      rings: [
        [
          [0, 0],
          [10, 10],
        ],
      ],
      isOpen: true,
    }),
  ).toBeUndefined();
  expect(flawOfDraft({ rings: [bowTie.slice(0, 3)], isOpen: true })).toBeUndefined();
  expect(
    flawOfDraft({
      rings: [
        [
          [0, 0],
          [10, 0],
          [5, 5],
          [5, -5],
        ],
      ],
      isOpen: true,
    })?.places,
  ).toEqual([[5, 0]]);
});

test("more corners than the API takes by default are refused, closing points counted", () => {
  const circle = (corners: number): Ring =>
    Array.from({ length: corners }, (_, i) => {
      const angle = (2 * Math.PI * i) / corners;
      return [1_000 * Math.cos(angle), 1_000 * Math.sin(angle)];
    });

  expect(MOST_VERTICES).toBe(eventBoundsEnv.parse({}).MAX_ZONE_VERTICES);
  expect(flawOfDraft(closed(circle(MOST_VERTICES - 1)))).toBeUndefined();
  expect(flawOfDraft(closed(circle(MOST_VERTICES)))?.text).toContain("10000 are allowed");
});

const anyRing = (random: Random, grid: number): Ring =>
  Array.from({ length: 3 + Math.floor(random() * 6) }, () => [
    Math.floor(random() * grid),
    Math.floor(random() * grid),
  ]);

function distanceTo([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const squared = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = squared === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared;
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay));
}
