import type { Zone } from "../../../schemas/events.ts";

/** The ring of a square in the form of GraphQL inputs, from its upper left corner on. */
export const square = (edge: number, x = 0, y = 0): number[][] => [
  [x, y],
  [x + edge, y],
  [x + edge, y + edge],
  [x, y + edge],
  [x, y],
];

/** A square of 10 px, in the form of events. */
export const SQUARE = [0, 0, 10, 0, 10, 10, 0, 10, 0, 0];

/** A square zone; a test overrides the fields that matter to it. */
export const zone = (overrides: Partial<Zone> = {}): Zone => ({
  zoneId: "z1",
  dataSourceId: "d1",
  name: "Gate",
  polygon: { rings: [SQUARE], crs: null },
  active: true,
  createdAt: 1_000,
  updatedAt: 1_000,
  anchor: "area",
  enterDetections: 1,
  exitDelayMs: 0,
  ...overrides,
});
