import { createGeofences } from "../../../projections/live/geofences.ts";
import type { LiveSettings } from "../../../projections/live/partition.ts";

/** The defaults, but fewer remembered tracks. */
export const liveSettings: LiveSettings = {
  trackTtlMs: 15_000,
  reorderMs: 0,
  updateIntervalMs: 1_000,
  forgetAfterMs: 3_600_000,
  rememberedTracks: 1_000,
  maxSourceVertices: 100_000,
  geofences: createGeofences(),
  listener: undefined,
};
