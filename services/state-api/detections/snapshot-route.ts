import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import { type KnownZones, snapshotOf } from "../../../projections/snapshot/snapshot.ts";
import type { ZonesAsOf } from "../../../projections/snapshot/zones-as-of.ts";
import { EARLIEST_MS, LATEST_MS } from "../../../schemas/date-time.ts";
import { snapshotBody, snapshotsAnswer, sourceHeaders, type TrackSnapshot } from "../../../schemas/rest/detections.ts";
import { type Route, route } from "../http/route.ts";
import type { ReadTracks } from "./read-tracks.ts";
import type { DetectionRange, RecordedTrack } from "./recorded-track.ts";
import { absentSource, failedSource, refusedSource } from "./refusals.ts";
import type { SourceOf } from "./source-of.ts";

export interface SnapshotOptions {
  readonly tracks: ReadTracks;
  readonly sourceOf: SourceOf;
  readonly zones: ZonesView;
  readonly zonesAsOf: ZonesAsOf;
  readonly now: () => number;
}

export const snapshotRoutes = (options: SnapshotOptions): readonly Route[] => [
  route({
    method: "POST",
    path: "/api/tracks/snapshot",
    summary: "Returns position, motion and zones of tracks, each at an instant in the past",
    description: "All values follow from the detections of a window of time around the instant.",
    scope: "read",
    headers: sourceHeaders,
    body: snapshotBody,
    answers: {
      200: { description: "The snapshots.", schema: snapshotsAnswer },
      400: refusedSource,
      502: failedSource,
      503: absentSource,
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

const windowOf = (trackId: string, at: number, seconds: number): DetectionRange => ({
  trackId,
  from: Math.max(EARLIEST_MS, Math.ceil(at - seconds * 1000)),
  to: Math.min(LATEST_MS, Math.floor(at + seconds * 1000)),
});

/** The zones of another server are known only for the time of its answer. */
function zonesOf(track: RecordedTrack | undefined, time: number | null, options: SnapshotOptions): KnownZones {
  const { zones, dataSourceId, askedAt = 0 } = track ?? {};
  if (zones != null) return { zones, asOf: askedAt };
  if (dataSourceId == null) return { zones: [], asOf: askedAt };
  const then = time === null ? undefined : options.zonesAsOf.zonesAt(dataSourceId, time);
  if (time !== null && then !== undefined) return { zones: then, asOf: time };
  return { zones: options.zones.zonesOf(dataSourceId).filter(({ active }) => active), asOf: options.now() };
}
