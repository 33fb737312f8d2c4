// The answers of the REST interface about a track at an instant.
import { isoTime } from "../../schemas/identity.ts";
import { type Box, centreOf } from "../box.ts";
import type { Place } from "../great-circle.ts";
import { locate, type Method } from "./locate.ts";
import { membershipAt, type Stay, type ZoneArea, type ZoneMembership } from "./membership.ts";
import { type Neighbours, nearest, type Spots, within } from "./spot.ts";
import { motionInImage, motionOnGround, type WindowMotion } from "./window-motion.ts";

/** The corners of a box: upper left, upper right, lower right, lower left. */
type Corners = readonly (readonly [x: number, y: number])[];

interface ShownPlace {
  /** Centre of the box. */
  readonly pix: { readonly x: number; readonly y: number } | null;
  readonly geo: { readonly lon: number; readonly lat: number } | null;
}

export interface TrackSnapshot {
  readonly track_id: string;
  readonly tag: string;
  readonly timestamp: string;
  readonly window_seconds: number;
  readonly detections_in_window: number;
  readonly position: ShownPlace & {
    readonly method: Method;
    readonly offset_ms: number;
    readonly polygon: Corners | null;
  };
  readonly motion: { readonly pix: WindowMotion | null; readonly geo: WindowMotion | null };
  readonly zones: { readonly active_at_timestamp: Readonly<Record<string, ZoneMembership>> };
  /** The zones are those of this time. */
  readonly zones_as_of: string;
}

export interface ClosestFrame {
  readonly track_id: string;
  /** Of the detection. */
  readonly timestamp: string;
  readonly offset_ms: number;
  readonly position: ShownPlace;
  readonly polygon: Corners | null;
}

/** Zones and the time of which they are. */
export interface KnownZones {
  readonly zones: readonly ZoneArea[];
  readonly asOf: number;
}

export interface SnapshotRequest {
  readonly trackId: string;
  readonly tag: string;
  /** As the caller wrote it. */
  readonly timestamp: string;
  readonly at: number;
  readonly windowSeconds: number;
  /** Those of the window, and perhaps more. */
  readonly spots: Spots;
  readonly stays: readonly Stay[];
  /** `time`: when the log was where the track is located; null = not known. */
  zonesAt(time: number | null): KnownZones;
}

/** null: there is no detection in the window. */
export function snapshotOf(request: SnapshotRequest): TrackSnapshot | null {
  const { at, windowSeconds, stays } = request;
  const spots = within(request.spots, at - windowSeconds * 1000, at + windowSeconds * 1000);
  const located = locate(spots, at);
  if (located === undefined) return null;
  const { method, offsetMs, box, place, recordedAt } = located;
  const { zones, asOf } = request.zonesAt(recordedAt);
  const seenAt = seenTime(method, at, offsetMs);
  return {
    track_id: request.trackId,
    tag: request.tag,
    timestamp: request.timestamp,
    window_seconds: windowSeconds,
    detections_in_window: spots.length,
    position: { method, offset_ms: offsetMs, ...shownPlace(box, place), polygon: corners(box) },
    motion: { pix: motionInImage(spots), geo: motionOnGround(spots) },
    zones: { active_at_timestamp: membershipAt({ at, seenAt, box, zones, stays, spots }) },
    zones_as_of: isoTime(Math.round(asOf)),
  };
}

/** undefined: there is no detection at all. */
export function closestFrame(trackId: string, around: Neighbours, at: number): ClosestFrame | undefined {
  const spot = nearest(around, at);
  if (spot === undefined) return undefined;
  return {
    track_id: trackId,
    timestamp: isoTime(spot.at),
    offset_ms: Math.abs(spot.at - at),
    position: shownPlace(spot.box, spot.place),
    polygon: corners(spot.box),
  };
}

function seenTime(method: Method, at: number, offsetMs: number): number {
  if (method === "forward_extrapolation") return at - offsetMs;
  return method === "backward_extrapolation" ? at + offsetMs : at;
}

const shownPlace = (box: Box | null, place: Place | null): ShownPlace => ({
  pix: box === null ? null : centreOf(box),
  geo: place === null ? null : { lon: place.longitude, lat: place.latitude },
});

const corners = (box: Box | null): Corners | null =>
  box === null
    ? null
    : [
        [box.minX, box.minY],
        [box.maxX, box.minY],
        [box.maxX, box.maxY],
        [box.minX, box.maxY],
      ];
