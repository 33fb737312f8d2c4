// The state of a track and of a zone, as endpoints return it and signals contain it.
import { z } from "zod";
import { instant, isoTimeSchema } from "./pieces.ts";

const count = z.int().nonnegative();
const orNone = z.number().nullable();

/** `lacking` is the case in which there is no speed; `still` is the effect of that case on the counts. */
const motion = ({ unit, up, lacking, still }: Readonly<Record<"unit" | "up" | "lacking" | "still", string>>) =>
  z.object({
    velocity: orNone.describe(`Mean of the speeds between consecutive detections, ${unit}/s; null ${lacking}`),
    distance: orNone.describe(`Length of the path from detection to detection, ${unit}; ${still} ${lacking}`),
    instantaneous_velocity: orNone.describe(`Speed between the last two detections, ${unit}/s; null ${lacking}`),
    instantaneous_direction: orNone.describe(
      `Degrees clockwise from ${up}, 0 to 360, between the last two detections; null without movement`,
    ),
    sample_count: count.nullable().describe(`Pairs of consecutive detections; ${still} ${lacking}`),
  });

export const motionPair = z
  .object({
    pix: motion({ unit: "px", up: "up", lacking: "without two polygons", still: "0" }).describe(
      "Movement of the centre of the box in the image",
    ),
    geo: motion({ unit: "m", up: "north", lacking: "without two positions", still: "null" }).describe(
      "Movement of the position on the ground",
    ),
  })
  .meta({ id: "Motion", description: "Movement of an object in the image and on the ground" });

export const positionState = z
  .object({
    pix: z
      .object({
        x: orNone.describe("Pixels to the right; null without a polygon"),
        y: orNone.describe("Pixels downwards; null without a polygon"),
      })
      .describe("Centre of the box around the newest polygon"),
    geo: z
      .object({
        lon: orNone.describe("Longitude in degrees; null without a position"),
        lat: orNone.describe("Latitude in degrees; null without a position"),
      })
      .describe("Newest position on the ground"),
    polygon: z
      .object({
        coordinates: z
          .array(z.array(z.array(z.number())))
          .describe("Closed rings of [x, y] in pixels; the first is the outer one"),
      })
      .nullable()
      .describe("Newest polygon in the image; null when no detection had one"),
  })
  .meta({
    id: "Position",
    description: "Place of a track. A detection without a polygon or a position leaves the older one here.",
  });

const currentPercent = z
  .number()
  .describe("Share of the polygon inside the zone at the last detection there, 0 to 100; 0 during the exit delay");
const avgPercent = z.number().describe("Mean of this share over the detections inside, 0 to 100");
const enteredAt = isoTimeSchema.describe("Timestamp of the first detection inside");
const detectionsInside = count.describe("Number of detections inside");

export const zoneEntry = z
  .object({
    zone_id: z.string(),
    zone_name: z.string(),
    entered_at: enteredAt,
    dwell_time: z.number().describe("Seconds from the entry to the exit, or to the newest detection before that"),
    detection_count: detectionsInside,
    intersection: z
      .object({
        current_percent: currentPercent,
        avg_percent: avgPercent,
        sample_count: count.describe("Number of detections in the mean"),
      })
      .describe("Share of the object that was inside"),
    motion: motionPair,
  })
  .meta({ id: "ZoneEntry", description: "A stay of a track in a zone; `motion` is that of the stay" });

export const zoneHistoryEntry = zoneEntry
  .extend({
    exited_at: isoTimeSchema.describe(
      "Timestamp of the first detection outside; if the track ended inside, its last detection or its given end",
    ),
    exit_position: positionState.describe("Place at the first detection outside, or at the end of the track"),
  })
  .meta({ id: "ZoneHistoryEntry", description: "A stay that has ended; `motion` is that of the stay" });

const appliedAt = isoTimeSchema
  .nullable()
  .describe(
    "Time at which the service stored this state; null in signals, with `at`, and in a state that an earlier version stored",
  );

const place = {
  datasource_id: z.string().describe("Data source, such as a camera, to which the track or zone belongs"),
  datasource_name: z.string().nullable().describe("Name in the catalog; null when the catalog has no such data source"),
  device_id: z.string().nullable().describe("Device of the data source; null when it has none"),
  site_id: z.string().nullable().describe("Site of the device; null without a device or without a site"),
  site_name: z.string().nullable().describe("Name in the catalog; null without a site"),
};

const distances = {
  pix: z.object({
    min_distance: z.number().describe("Shortest distance, pixels; 0 when the boxes touch or overlap"),
    avg_distance: z.number().describe("Mean distance over the interactions, pixels"),
    min_distance_at: isoTimeSchema.describe("Timestamp of the shortest distance"),
  }),
  geo: z.object({
    min_distance_m: z.number().describe("Shortest distance, metres"),
    avg_distance_m: z.number().describe("Mean distance over the interactions, metres"),
    min_distance_at: isoTimeSchema.describe("Timestamp of the shortest distance"),
  }),
};

const overlap = z.object({
  overlap_count: count.describe("Number of detections of this track at which the boxes shared area"),
  max_overlap_percent: z.number().describe("Largest share of this track's box that was covered, 0 to 1"),
  max_overlap_at: isoTimeSchema.describe("Timestamp of the largest share"),
  total_overlap_duration: z.number().describe("Seconds between consecutive detections at which the boxes shared area"),
});

export const interaction = z
  .object({
    track_id: z.string().describe("The other track"),
    tag: z.string().describe("Tag of the other track at the last interaction"),
    first_interaction_at: isoTimeSchema.describe("Timestamp of the first detection at which the other track was near"),
    last_interaction_at: isoTimeSchema.describe("Timestamp of the last detection at which the other track was near"),
    total_duration: z.number().describe("Seconds from the first to the last interaction"),
    proximity: z
      .object({
        interaction_count: count.describe("Number of detections of this track at which the other one was near"),
        pix: distances.pix.optional().describe("Between the edges of the boxes; left out without boxes"),
        geo: distances.geo.optional().describe("Between the positions; left out without positions"),
      })
      .describe("Distances to the other track"),
    overlap: overlap.optional().describe("Left out when the boxes never shared area"),
  })
  .meta({ id: "Interaction", description: "Another track of the same data source that came near" });

export const momentQuery = z.object({
  at: instant
    .optional()
    .describe(
      "Moment of the log's clock, not in the future: the answer is that of this moment. Without it, the present state is " +
        "returned.",
    ),
});

const asOf = z
  .object({
    at: isoTimeSchema.describe("The moment that the request names"),
    log: z
      .enum(["topic", "history"])
      .describe(
        "`topic`: the state was folded from the log as it was then. `history`: the log no longer has this time, so tracks " +
          "have their last tags, and silent tracks end exactly TRACK_TTL after their last detections",
      ),
  })
  .optional()
  .describe("Present only in an answer to a request with `at`");

export const trackStateSchema = z
  .object({
    track_id: z.string(),
    tag: z.string(),
    ...place,
    track_start: isoTimeSchema.describe("Start that the sender gave; without one the same as `first_seen`"),
    track_end: isoTimeSchema
      .optional()
      .describe("`last_seen` plus TRACK_TTL, or the end that the sender gave; left out while the track is live"),
    first_seen: isoTimeSchema.describe("Timestamp of the first detection since the last gap longer than TRACK_TTL"),
    last_seen: isoTimeSchema.describe("Timestamp of the newest detection"),
    track_age: z.string().describe("`last_seen` minus `first_seen`, seconds with three decimals"),
    detection_count: count.describe("Number of detections since `first_seen`"),
    position: positionState,
    motion: motionPair.describe("Movement since `first_seen`"),
    zones: z
      .object({
        active: z.record(z.string(), zoneEntry).describe("Zones that the track is in, by id"),
        history: z.array(zoneHistoryEntry).describe("Ended stays in zones, the newest exit first; about 500 are kept"),
        sequence: z
          .array(z.object({ zone_id: z.string(), entered_at: enteredAt }))
          .describe("Zones in the order of entry, the oldest first; the newest 500 are kept"),
      })
      .describe("Zones since `first_seen`"),
    interactions: z
      .array(interaction)
      .describe("Filled in the signals of batches only, ordered by `first_interaction_at`; empty otherwise"),
    updated_at: isoTimeSchema.describe("Timestamp of the newest detection, the same as `last_seen`"),
    applied_at: appliedAt,
    as_of: asOf,
  })
  .meta({ id: "TrackState" });

export const activeTrack = z
  .object({
    tag: z.string(),
    entered_at: enteredAt,
    dwell_time: z.number().describe("Seconds from the entry to the track's newest detection"),
    detection_count: detectionsInside,
    intersection: z
      .object({ current_percent: currentPercent, avg_percent: avgPercent })
      .describe("Share of the object that is inside"),
    motion: motionPair.describe("Movement inside the zone"),
  })
  .meta({ id: "ActiveTrack", description: "A track that is in the zone" });

export const zoneStateSchema = z
  .object({
    zone_id: z.string(),
    zone_name: z.string(),
    ...place,
    active_tracks: z
      .record(z.string(), activeTrack)
      .describe("Tracks in the zone, by id; in signals those with a tag of the subscription, at most 1000"),
    track_count: count.describe("Number of tracks in the zone; in signals those with a tag of the subscription"),
    updated_at: isoTimeSchema
      .nullable()
      .describe("Timestamp of the newest entry, exit or detection inside; null when no track was ever inside"),
    applied_at: appliedAt,
    trigger_track_id: z
      .string()
      .nullable()
      .describe("Track that caused the newest update; null when no track was ever inside"),
    trigger_tag: z.string().nullable().describe("Tag of that track; null without one"),
    as_of: asOf,
  })
  .meta({ id: "ZoneState" });
