// What shapes the results of folding the camera-log: every process that folds it must have the same values.
import { z } from "zod";
import { eventBoundsEnv } from "../../schemas/bounds.ts";
import { integer } from "./config.ts";

export const foldEnv = z.object({
  /** Events beyond these bounds are left out, and the projector dead-letters them. */
  ...eventBoundsEnv.shape,
  /** Seconds without a detection after which a track has expired. */
  TRACK_TTL: z.coerce.number().positive().default(15).describe("a number of seconds above 0"),
  /** How long detections are held to be folded in timestamp order; 0 = late ones change nothing. */
  REORDER_MS: integer(0),
  /** Least event time between two UPDATEs of one intersection. */
  INTERSECTION_UPDATE_MS: integer(1_000),
  /** How long an ended track is remembered, so that it can go on and late detections of it change nothing. */
  FORGET_TRACK_MS: integer(3_600_000, 1),
  /** How many of them per partition at most: those that a fast import ends must fit into memory, 2.3 kB each. */
  REMEMBERED_TRACKS: integer(50_000, 1),
});

export type FoldConfig = z.output<typeof foldEnv>;

/** In the form in which the fold takes them. */
export const foldSettings = (config: FoldConfig) => ({
  trackTtlMs: config.TRACK_TTL * 1_000,
  reorderMs: config.REORDER_MS,
  updateIntervalMs: config.INTERSECTION_UPDATE_MS,
  forgetAfterMs: config.FORGET_TRACK_MS,
  rememberedTracks: config.REMEMBERED_TRACKS,
  maxSourceVertices: config.MAX_DATA_SOURCE_VERTICES,
});
