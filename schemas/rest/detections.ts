// Requests about recorded detections, and their answers: snapshots and closest frames.
import { z } from "zod";
import { idMember, instant, isoTimeSchema, listOf } from "./pieces.ts";

export const GRAPHQL_URL = "x-graphql-url";
const MAX_TRACKS = 100;
const MAX_WINDOW_SECONDS = 600;

export const sourceHeaders = z.object({
  [GRAPHQL_URL]: z
    .string()
    .optional()
    .meta({ description: "the GraphQL server for tracks that are not kept here; without it, our own" }),
});

export const closestFrameQuery = z.object({ track_id: idMember, timestamp: instant });

const shownPlace = {
  /** Centre of the box. */
  pix: z.object({ x: z.number(), y: z.number() }).nullable(),
  geo: z.object({ lon: z.number(), lat: z.number() }).nullable(),
};

/** The corners of the box: upper left, upper right, lower right, lower left. */
const corners = z.array(z.tuple([z.number(), z.number()])).nullable();

export const closestFrameAnswer = z.object({
  track_id: z.string(),
  timestamp: isoTimeSchema.meta({ description: "of the detection" }),
  offset_ms: z.number(),
  position: z.object(shownPlace),
  polygon: corners,
});

export type ClosestFrame = z.output<typeof closestFrameAnswer>;

/** The instant, with its original text: the answer repeats it. */
const timestamp = z
  .string()
  .max(100)
  .meta({ format: "date-time" })
  .transform((text, context) => {
    const parsed = instant.safeParse(text);
    if (parsed.success) return { text, at: parsed.data };
    for (const { message } of parsed.error.issues) context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const asked = z.object({ track_id: idMember, timestamp });

export const snapshotBody = z.object({
  tracks: listOf(asked, MAX_TRACKS, 1).superRefine((tracks, context) => {
    const seen = new Set<string>();
    for (const [i, { track_id }] of tracks.entries()) {
      const message = "this track is asked for twice: its second moment takes a request of its own";
      if (seen.has(track_id)) context.addIssue({ code: "custom", path: [i, "track_id"], message });
      seen.add(track_id);
    }
  }),
  window_seconds: z
    .number()
    .min(0)
    .max(MAX_WINDOW_SECONDS)
    .default(10)
    .meta({ description: "seconds before and after the timestamp" }),
});

/** With one detection everything but the count is null. */
const windowMotion = z
  .object({
    avg_velocity: z.number().nullable(),
    max_velocity: z.number().nullable(),
    direction: z.number().nullable().meta({ description: "degrees clockwise from up, or from north" }),
    sample_count: z.int(),
  })
  .nullable();

const zoneMembership = z.object({
  zone_id: z.string(),
  zone_name: z.string(),
  intersection_percent: z.number().meta({ description: "share of the box in the zone, 0 to 100" }),
  dwell_at_timestamp: z.number().meta({ description: "seconds since the entry" }),
});

export type ZoneMembership = z.output<typeof zoneMembership>;

const trackSnapshot = z.object({
  track_id: z.string(),
  tag: z.string(),
  timestamp: isoTimeSchema,
  window_seconds: z.number(),
  detections_in_window: z.int(),
  position: z.object({
    method: z.enum(["real", "linear", "forward_extrapolation", "backward_extrapolation"]),
    offset_ms: z.number().meta({ description: "to the nearest detection" }),
    ...shownPlace,
    polygon: corners,
  }),
  motion: z.object({ pix: windowMotion.meta({ description: "px/s" }), geo: windowMotion.meta({ description: "m/s" }) }),
  zones: z.object({
    active_at_timestamp: z.record(z.string(), zoneMembership),
  }),
  zones_as_of: isoTimeSchema.meta({ description: "the zones are those of this time" }),
});

export type TrackSnapshot = z.output<typeof trackSnapshot>;
export type WindowMotion = NonNullable<z.output<typeof windowMotion>>;

export const snapshotsAnswer = z.object({ snapshots: z.record(z.string(), trackSnapshot.nullable()) });
