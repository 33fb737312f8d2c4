import type { Detection } from "../../../schemas/events.ts";
import { SQUARE } from "./zone.ts";

/** Somewhere in the square; a test names what matters to it. */
export const detection = (overrides: Partial<Detection> = {}): Detection => ({
  trackId: "t1",
  timestamp: Date.UTC(2026, 0, 1),
  polygon: { rings: [SQUARE], crs: null },
  position: null,
  direction: null,
  metadata: null,
  ...overrides,
});
