import { z } from "zod";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import { type KnownZones, snapshotOf, type TrackSnapshot } from "../../../projections/snapshot/snapshot.ts";
import type { ZonesAsOf } from "../../../projections/snapshot/zones-as-of.ts";
import { EARLIEST_MS, LATEST_MS } from "../../../schemas/date-time.ts";
import { id, instant, isoTime, listOf } from "../../../schemas/rest/pieces.ts";
import type { ReadTracks } from "../detections/read-tracks.ts";
import type { RecordedTrack, Wanted } from "../detections/recorded-track.ts";
import { type SourceOf, sourceHeaders } from "../detections/source-of.ts";
import { type Route, route } from "../http/route.ts";

export interface SnapshotOptions {
  readonly tracks: ReadTracks;
  readonly sourceOf: SourceOf;
  readonly zones: ZonesView;
  readonly zonesAsOf: ZonesAsOf;
  readonly now: () => number;
}

const MAX_TRACKS = 100;
const MAX_WINDOW_SECONDS = 600;

/** The instant, with the text that named it: the answer repeats it. */
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

const asked = z.object({ track_id: id, timestamp });

const body = z.object({
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

const motion = z
  .object({
    avg_velocity: z.number().nullable(),
    max_velocity: z.number().nullable(),
    direction: z.number().nullable().meta({ description: "degrees clockwise from up, or from north" }),
    sample_count: z.int(),
  })
  .nullable();

const snapshot = z.object({
  track_id: z.string(),
  tag: z.string(),
  timestamp: isoTime,
  window_seconds: z.number(),
  detections_in_window: z.int(),
  position: z.object({
    method: z.enum(["real", "linear", "forward_extrapolation", "backward_extrapolation"]),
    offset_ms: z.number().meta({ description: "to the nearest detection" }),
    pix: z.object({ x: z.number(), y: z.number() }).nullable(),
    geo: z.object({ lon: z.number(), lat: z.number() }).nullable(),
    polygon: z.array(z.tuple([z.number(), z.number()])).nullable(),
  }),
  motion: z.object({ pix: motion.meta({ description: "px/s" }), geo: motion.meta({ description: "m/s" }) }),
  zones: z.object({
    active_at_timestamp: z.record(
      z.string(),
      z.object({
        zone_id: z.string(),
        zone_name: z.string(),
        intersection_percent: z.number().meta({ description: "share of the box in the zone, 0 to 100" }),
        dwell_at_timestamp: z.number().meta({ description: "seconds since the entry" }),
      }),
    ),
  }),
  zones_as_of: isoTime.meta({ description: "the zones are those of this time" }),
});

export const snapshotRoutes = (options: SnapshotOptions): readonly Route[] => [
  route({
    method: "POST",
    path: "/api/tracks/snapshot",
    summary: "Position, motion and zones of tracks at instants in the past",
    scope: "read",
    headers: sourceHeaders,
    body,
    answers: {
      200: {
        description: "By track id; null for a track without a detection in its window",
        schema: z.object({ snapshots: z.record(z.string(), snapshot.nullable()) }),
      },
    },
    handle: async ({ body: { tracks, window_seconds: seconds }, headers, gone }) => {
      const wanted = tracks.map(({ track_id: trackId, timestamp: { at } }) => windowOf(trackId, at, seconds));
      const found = await options.tracks.tracks(wanted, options.sourceOf(headers, gone()));
      const snapshots = tracks.map(({ track_id: trackId, timestamp: { text, at } }) => {
        const track = found.get(trackId);
        const zonesAt = (time: number | null) => zonesOf(track, time, options);
        const of = { timestamp: text, at, windowSeconds: seconds, zonesAt };
        return [trackId, track === undefined ? null : snapshotOf({ ...track, ...of })] as const;
      });
      return { status: 200, body: { snapshots: Object.fromEntries<TrackSnapshot | null>(snapshots) } };
    },
  }),
];

const windowOf = (trackId: string, at: number, seconds: number): Wanted => ({
  trackId,
  from: Math.max(EARLIEST_MS, Math.ceil(at - seconds * 1000)),
  to: Math.min(LATEST_MS, Math.floor(at + seconds * 1000)),
});

/** Another server's zones are known only as they were when it was asked. */
function zonesOf(track: RecordedTrack | undefined, time: number | null, options: SnapshotOptions): KnownZones {
  const { zones, dataSourceId, askedAt = 0 } = track ?? {};
  if (zones != null) return { zones, asOf: askedAt };
  if (dataSourceId == null) return { zones: [], asOf: askedAt };
  const then = time === null ? undefined : options.zonesAsOf.zonesAt(dataSourceId, time);
  if (time !== null && then !== undefined) return { zones: then, asOf: time };
  return { zones: options.zones.zonesOf(dataSourceId).filter(({ active }) => active), asOf: options.now() };
}
