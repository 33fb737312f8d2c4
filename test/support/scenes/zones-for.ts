// Zones for a recording: all kinds of shape over the part of the image with tracks, and some that lie exactly along the
// edges of boxes, where rounding would show.
import { zonesFor } from "../../../services/cli/demo/scene/zones.ts";

export interface TestZone {
  readonly name: string;
  /** GeoJSON polygon coordinates in image pixels. */
  readonly rings: readonly (readonly (readonly [number, number])[])[];
}

/** left, top, right, bottom in image pixels. */
export type TestBox = readonly [number, number, number, number];

/** Deterministic; at least twelve for no boxes, four more along the edges of some of the boxes. */
export function zonesForBoxes(
  boxes: readonly TestBox[],
  image: { readonly width: number; readonly height: number },
): TestZone[] {
  const inPicture: TestZone[] = zonesFor(image.width, image.height);
  if (boxes.length === 0) return inPicture;
  const [left, top, right, bottom] = extentOf(boxes);
  const overExtent = zonesFor(right - left, bottom - top).map(({ name, rings }) => ({
    name: `extent-${name}`,
    rings: rings.map((ring) => ring.map(([x, y]) => [x + left, y + top] as const)),
  }));
  return [...inPicture, ...overExtent, ...alongBoxes(boxes)];
}

/** A GeoJSON FeatureCollection in the form that the import command reads. */
export const zonesGeoJson = (zones: readonly TestZone[]) => ({
  type: "FeatureCollection" as const,
  features: zones.map(({ name, rings }) => ({
    type: "Feature" as const,
    properties: { name },
    geometry: { type: "Polygon" as const, coordinates: rings },
  })),
});

function extentOf(boxes: readonly TestBox[]): TestBox {
  let [left, top, right, bottom] = boxes[0] ?? [0, 0, 0, 0];
  for (const box of boxes) {
    left = Math.min(left, box[0]);
    top = Math.min(top, box[1]);
    right = Math.max(right, box[2]);
    bottom = Math.max(bottom, box[3]);
  }
  return [left, top, right, bottom];
}

function alongBoxes(boxes: readonly TestBox[]): TestZone[] {
  const pick = (share: number): TestBox => boxes[Math.floor(share * (boxes.length - 1))] ?? [0, 0, 1, 1];
  const [l1, t1, r1, b1] = pick(0.2);
  const [l2, t2, r2, b2] = pick(0.4);
  const [l3, t3, r3, b3] = pick(0.6);
  const [l4, t4, r4, b4] = pick(0.8);
  const [wide, tall] = [r2 - l2, b2 - t2];
  return [
    rectangle("same-as-a-box", [l1, t1, r1, b1]),
    rectangle("right-of-a-box", [r2, t2, r2 + wide, b2]),
    rectangle("below-a-box", [l3, b3, r3, b3 + (b3 - t3)]),
    {
      name: "triangle-on-a-box-corner",
      rings: [
        [
          [r4, t4],
          [r4 + (r4 - l4), t4 - (b4 - t4)],
          [r4 + 2 * (r4 - l4), t4 + tall],
          [r4, t4],
        ],
      ],
    },
  ];
}

const rectangle = (name: string, [left, top, right, bottom]: TestBox): TestZone => ({
  name,
  rings: [
    [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ],
  ],
});
