import type { Zone } from "../../schemas/events.ts";

export const SQUARE = [0, 0, 10, 0, 10, 10, 0, 10, 0, 0];

/** A square zone; a test names what matters to it. */
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
