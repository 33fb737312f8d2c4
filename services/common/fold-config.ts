// Settings that shape the results of folding the camera-log: every process that folds it must have the same values.
import { z } from "zod";
import { eventBoundsEnv } from "../../schemas/bounds.ts";
import { HOUR_MS } from "../../schemas/units.ts";
import { integer } from "./config.ts";

export const foldEnv = z.object({
  /** Events beyond these limits are skipped, and the projector writes dead letters of them. */
  ...eventBoundsEnv.shape,
  TRACK_TTL: z.coerce
    .number()
    .positive()
    .default(15)
    .describe("a number of seconds above 0")
    .meta({ about: "Time without a detection after which a track has expired. It may have a fraction.", unit: "s" }),
  REORDER_MS: integer(0).meta({
    about:
      "Time for which the state machine holds detections, to fold them in the order of their timestamps. " +
      "With 0, late detections change nothing.",
  }),
  INTERSECTION_UPDATE_MS: integer(1_000).meta({
    about: "Shortest event time between two UPDATEs of one intersection.",
  }),
  FORGET_TRACK_MS: integer(HOUR_MS, 1).meta({
    about:
      "Time for which live state remembers an ended track, so that the track can continue and its late " +
      "detections change nothing.",
  }),
  REMEMBERED_TRACKS: integer(50_000, 1).meta({
    about:
      "Ended tracks that live state remembers for each partition. Those that a fast import ends must fit " +
      "into memory, at 2.3 kB each.",
  }),
});

export type FoldConfig = z.output<typeof foldEnv>;

/** Converts the settings into the form that the fold takes. */
export const foldSettings = (config: FoldConfig) => ({
  trackTtlMs: config.TRACK_TTL * 1_000,
  reorderMs: config.REORDER_MS,
  updateIntervalMs: config.INTERSECTION_UPDATE_MS,
  forgetAfterMs: config.FORGET_TRACK_MS,
  rememberedTracks: config.REMEMBERED_TRACKS,
  maxSourceVertices: config.MAX_DATA_SOURCE_VERTICES,
});
