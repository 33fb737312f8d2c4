// Settings that shape the results of folding the camera-log: every process that folds it must have the same values.
import { z } from "zod";
import { eventBoundsEnv } from "../../schemas/bounds.ts";
import { HOUR_MS } from "../../schemas/units.ts";
import { integer } from "./config.ts";

export const foldEnv = z.object({
  /** Events beyond these limits are skipped, and the projector writes dead letters of them. */
  ...eventBoundsEnv.shape,
  /** Seconds without a detection after which a track has expired. */
  TRACK_TTL: z.coerce.number().positive().default(15).describe("a number of seconds above 0"),
  /**
   * Milliseconds for which detections are held, to be folded in the order of their timestamps; with 0, late ones change
   * nothing.
   */
  REORDER_MS: integer(0),
  /** Minimum event time between two UPDATEs of one intersection, ms. */
  INTERSECTION_UPDATE_MS: integer(1_000),
  /**
   * Milliseconds for which an ended track is remembered, so that the track can continue and its late detections change
   * nothing.
   */
  FORGET_TRACK_MS: integer(HOUR_MS, 1),
  /** Ended tracks remembered per partition: those that a fast import ends must fit into memory, at 2.3 kB each. */
  REMEMBERED_TRACKS: integer(50_000, 1),
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
