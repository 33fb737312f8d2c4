// The state of a track and of a zone, as endpoints return it and signals contain it.
import { z } from "zod";
import { isoTimeSchema } from "./pieces.ts";

const percent = z.number().meta({ description: "share of the object's box inside the zone, 0 to 100" });
const seconds = z.number().meta({ description: "seconds" });
const count = z.int().nonnegative();

const motion = (unit: string) =>
  z.object({
    velocity: z
      .number()
      .nullable()
      .meta({ description: `mean of the speeds between consecutive detections, ${unit}/s; null with one detection` }),
    distance: z
      .number()
      .nullable()
      .meta({ description: `length of the path, ${unit}` }),
    instantaneous_velocity: z
      .number()
      .nullable()
      .meta({ description: `speed between the last two detections, ${unit}/s` }),
    instantaneous_direction: z
      .number()
      .nullable()
      .meta({ description: "degrees clockwise from up (pix) or north (geo), 0 to 360; null without movement" }),
    sample_count: count.nullable().meta({ description: "pairs of consecutive detections" }),
  });

export const motionPair = z.object({ pix: motion("px"), geo: motion("m") }).meta({
  id: "Motion",
  description: "In pixels of the image, and in metres on the ground; without two positions all of geo is null.",
});

export const positionState = z
  .object({
    pix: z.object({ x: z.number().nullable(), y: z.number().nullable() }).meta({ description: "centre of the box" }),
    geo: z.object({ lon: z.number().nullable(), lat: z.number().nullable() }),
    polygon: z
      .object({ coordinates: z.array(z.array(z.array(z.number()))).meta({ description: "closed rings, pixels" }) })
      .nullable(),
  })
  .meta({ id: "Position" });

export const zoneEntry = z
  .object({
    zone_id: z.string(),
    zone_name: z.string(),
    entered_at: isoTimeSchema,
    dwell_time: seconds,
    detection_count: count,
    intersection: z.object({ current_percent: percent, avg_percent: percent, sample_count: count }),
    motion: motionPair,
  })
  .meta({ id: "ZoneEntry" });

export const zoneHistoryEntry = zoneEntry
  .extend({ exited_at: isoTimeSchema, exit_position: positionState })
  .meta({ id: "ZoneHistoryEntry" });

const appliedAt = isoTimeSchema
  .nullable()
  .meta({ description: "when the service wrote this state; null in a state that an earlier version wrote" });

const place = {
  datasource_id: z.string(),
  datasource_name: z.string().nullable(),
  device_id: z.string().nullable().meta({ description: "null for a data source without a device" }),
  site_id: z.string().nullable(),
  site_name: z.string().nullable(),
};

export const interaction = z
  .object({
    track_id: z.string(),
    tag: z.string(),
    first_interaction_at: isoTimeSchema,
    last_interaction_at: isoTimeSchema,
    total_duration: seconds,
    proximity: z.object({
      interaction_count: count.meta({ description: "detections of this track at which the other one was near" }),
      pix: z
        .object({ min_distance: z.number(), avg_distance: z.number(), min_distance_at: isoTimeSchema })
        .optional()
        .meta({ description: "between the edges of the boxes, pixels; missing without boxes" }),
      geo: z
        .object({ min_distance_m: z.number(), avg_distance_m: z.number(), min_distance_at: isoTimeSchema })
        .optional()
        .meta({ description: "between the positions, metres; missing without positions" }),
    }),
    overlap: z
      .object({
        overlap_count: count,
        max_overlap_percent: z.number().meta({ description: "share of this track's box, 0 to 1" }),
        max_overlap_at: isoTimeSchema,
        total_overlap_duration: seconds.meta({ description: "between detections in succession that both overlapped" }),
      })
      .optional()
      .meta({ description: "missing when the boxes never shared area" }),
  })
  .meta({ id: "Interaction", description: "How near another track of the same data source came." });

export const trackStateSchema = z
  .object({
    track_id: z.string(),
    tag: z.string(),
    ...place,
    track_start: isoTimeSchema.meta({ description: "creation of the track" }),
    track_end: isoTimeSchema.optional().meta({ description: "only of tracks that expired or were ended" }),
    first_seen: isoTimeSchema,
    last_seen: isoTimeSchema,
    track_age: z.string().meta({ description: "last_seen minus first_seen: seconds with three decimals" }),
    detection_count: count,
    position: positionState,
    motion: motionPair,
    zones: z.object({
      active: z.record(z.string(), zoneEntry).meta({ description: "by zone id" }),
      history: z.array(zoneHistoryEntry).meta({ description: "newest exit first" }),
      sequence: z
        .array(z.object({ zone_id: z.string(), entered_at: isoTimeSchema }))
        .meta({ description: "oldest first" }),
    }),
    interactions: z.array(interaction).meta({ description: "filled in batches only; by first_interaction_at" }),
    updated_at: isoTimeSchema.meta({ description: "event time of the newest detection" }),
    applied_at: appliedAt,
  })
  .meta({ id: "TrackState" });

export const activeTrack = z
  .object({
    tag: z.string(),
    entered_at: isoTimeSchema,
    dwell_time: seconds,
    detection_count: count,
    intersection: z.object({ current_percent: percent, avg_percent: percent }),
    motion: motionPair,
  })
  .meta({ id: "ActiveTrack" });

export const zoneStateSchema = z
  .object({
    zone_id: z.string(),
    zone_name: z.string(),
    ...place,
    active_tracks: z.record(z.string(), activeTrack).meta({ description: "by track id" }),
    track_count: count,
    updated_at: isoTimeSchema.nullable().meta({
      description: "event time of the newest entry, exit or detection inside; null if no track was ever inside",
    }),
    applied_at: appliedAt,
    trigger_track_id: z.string().nullable().meta({ description: "the track that caused the newest update" }),
    trigger_tag: z.string().nullable(),
  })
  .meta({ id: "ZoneState" });
