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
    .describe("GraphQL server for detections that are not kept here, one that the operator lists; without it, our own"),
});

export const closestFrameQuery = z.object({
  track_id: idMember.describe("If several data sources have a track with this id, the one that was seen last is meant"),
  timestamp: instant.describe("Instant to which the detection is nearest"),
});

const shownPlace = {
  pix: z
    .object({ x: z.number().describe("Pixels to the right"), y: z.number().describe("Pixels downwards") })
    .nullable()
    .describe("Centre of the box; null without a polygon"),
  geo: z
    .object({ lon: z.number().describe("Longitude in degrees"), lat: z.number().describe("Latitude in degrees") })
    .nullable()
    .describe("Place on the ground; null without a position"),
};

const corners = z
  .array(z.tuple([z.number(), z.number()]))
  .nullable()
  .describe(
    "Corners of the box as [x, y] in pixels: upper left, upper right, lower right, lower left; null without a polygon",
  );

export const closestFrameAnswer = z.object({
  track_id: z.string(),
  timestamp: isoTimeSchema.describe("Time of the detection"),
  offset_ms: z.number().describe("Milliseconds between the requested instant and the detection, never negative"),
  position: z.object(shownPlace).describe("Place of the detection"),
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

const asked = z.object({
  track_id: idMember.describe("If several data sources have a track with this id, the one that was seen last is meant"),
  timestamp: timestamp.describe("Instant of the snapshot"),
});

export const snapshotBody = z.object({
  tracks: listOf(asked, MAX_TRACKS, 1)
    .superRefine((tracks, context) => {
      const seen = new Set<string>();
      for (const [i, { track_id }] of tracks.entries()) {
        const message = "this track is asked for twice: its second moment takes a request of its own";
        if (seen.has(track_id)) context.addIssue({ code: "custom", path: [i, "track_id"], message });
        seen.add(track_id);
      }
    })
    .describe("Each track once; the windows of all of them have at most 50 000 detections"),
  window_seconds: z
    .number()
    .min(0)
    .max(MAX_WINDOW_SECONDS)
    .default(10)
    .describe("Seconds before and after the timestamp; detections at both ends are included"),
});

const windowMotion = ({ where, unit, up, lacking }: Readonly<Record<"where" | "unit" | "up" | "lacking", string>>) =>
  z
    .object({
      avg_velocity: z
        .number()
        .nullable()
        .describe(`Mean of the speeds between consecutive detections, ${unit}/s; null with one detection`),
      max_velocity: z.number().nullable().describe(`Highest of these speeds, ${unit}/s; null with one detection`),
      direction: z
        .number()
        .nullable()
        .describe(
          `Degrees clockwise from ${up}, 0 to 360, from the first to the last detection; null without movement`,
        ),
      sample_count: z.int().describe("Number of pairs of consecutive detections"),
    })
    .nullable()
    .describe(`${where}; null ${lacking} in the window`);

const zoneMembership = z.object({
  zone_id: z.string(),
  zone_name: z.string(),
  intersection_percent: z.number().describe("Share of the interpolated box inside the zone, 0 to 100"),
  dwell_at_timestamp: z.number().describe("Seconds from the entry to the timestamp"),
});

export type ZoneMembership = z.output<typeof zoneMembership>;

const trackSnapshot = z.object({
  track_id: z.string(),
  tag: z.string(),
  timestamp: isoTimeSchema.describe("Requested instant, as the caller wrote it"),
  window_seconds: z.number().describe("Seconds before and after the timestamp"),
  detections_in_window: z.int().describe("Number of detections in the window, those at both ends included"),
  position: z
    .object({
      method: z
        .enum(["real", "linear", "forward_extrapolation", "backward_extrapolation"])
        .describe(
          "real: a detection at the instant. linear: interpolated between the detections around it. " +
            "forward_extrapolation: the last detection, which is earlier. " +
            "backward_extrapolation: the first detection, which is later",
        ),
      offset_ms: z.number().describe("Milliseconds between the timestamp and the nearest detection, never negative"),
      ...shownPlace,
      polygon: corners,
    })
    .describe("Place at the timestamp"),
  motion: z
    .object({
      pix: windowMotion({ where: "In the image", unit: "px", up: "up", lacking: "without a polygon" }),
      geo: windowMotion({ where: "On the ground", unit: "m", up: "north", lacking: "without a position" }),
    })
    .describe("Movement over all detections of the window"),
  zones: z
    .object({ active_at_timestamp: z.record(z.string(), zoneMembership).describe("Zones that the box was in, by id") })
    .describe("Zones at the timestamp"),
  zones_as_of: isoTimeSchema.describe(
    "Time of the zones: when the log recorded the detections, or the present when the zones of then are unknown",
  ),
});

export type TrackSnapshot = z.output<typeof trackSnapshot>;
export type WindowMotion = NonNullable<z.output<ReturnType<typeof windowMotion>>>;

export const snapshotsAnswer = z.object({
  snapshots: z
    .record(z.string(), trackSnapshot.nullable())
    .describe("Snapshots by track id; null for a track that is unknown or has no detection in its window"),
});
