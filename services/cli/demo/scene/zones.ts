import type { PointRing, SceneZone } from "./types.ts";

/** Corners in hundredths of the picture's width and height. */
type Corners = readonly (readonly [number, number])[];

const PLANS: readonly (readonly [name: string, ...rings: Corners[]])[] = [
  ["square", corners([20, 20], [40, 20], [40, 45], [20, 45])],
  ["triangle", corners([55, 15], [75, 50], [45, 55])],
  ["hexagon", corners([62, 60], [72, 55], [82, 60], [82, 75], [72, 80], [62, 75])],
  ["sliver", corners([5, 48], [95, 51], [95, 52], [5, 49])],
  ["concave-l", corners([10, 55], [25, 55], [25, 75], [40, 75], [40, 90], [10, 90])],
  ["concave-u", corners([45, 60], [50, 60], [50, 80], [55, 80], [55, 60], [60, 60], [60, 90], [45, 90])],
  ["star", corners([78, 10], [81, 22], [92, 22], [83, 29], [87, 42], [78, 34], [69, 42], [73, 29], [64, 22], [75, 22])],
  ["with-hole", corners([30, 30], [60, 30], [60, 70], [30, 70]), corners([38, 40], [38, 60], [52, 60], [52, 40])],
  [
    "with-two-holes",
    corners([5, 5], [50, 5], [50, 28], [5, 28]),
    corners([10, 10], [10, 22], [22, 22], [22, 10]),
    corners([30, 10], [40, 22], [44, 10]),
  ],
  ["overlapping", corners([30, 25], [50, 25], [50, 45], [30, 45])],
  ["left-border", corners([0, 30], [12, 30], [12, 70], [0, 70])],
  ["bottom-border", corners([20, 85], [80, 85], [100, 100], [0, 100])],
];

function corners(...points: (readonly [number, number])[]): Corners {
  return points;
}

/** Returns twelve zones: convex, concave, with holes, overlapping each other, and along the border of the picture. */
export function zonesFor(width: number, height: number): SceneZone[] {
  const toPixels = (points: Corners): PointRing => {
    const ring = points.map(([x, y]) => [(x * width) / 100, (y * height) / 100] as const);
    return ring[0] ? [...ring, ring[0]] : [];
  };
  return PLANS.map(([name, ...rings]) => ({ name, rings: rings.map(toPixels) }));
}
