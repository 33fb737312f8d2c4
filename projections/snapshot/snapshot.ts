// The answers of the REST interface about a track at an instant.
import { isoTime } from "../../schemas/identity.ts";
import type { ClosestFrame, TrackSnapshot } from "../../schemas/rest/detections.ts";
import { type Box, centreOf } from "../geometry/box.ts";
import type { GeoPoint } from "../geometry/great-circle.ts";
import { type Located, locate } from "./locate.ts";
import { membershipAt, type ZoneArea, type ZoneStay } from "./membership.ts";
import { type Neighbours, nearest, type Spots, spotsWithin } from "./spot.ts";
import { motionInImage, motionOnGround } from "./window-motion.ts";

type ShownPlace = ClosestFrame["position"];
type Corners = ClosestFrame["polygon"];

/** Zones, and the time as of which they are known. */
export interface KnownZones {
  readonly zones: readonly ZoneArea[];
  readonly asOf: number;
}

export interface SnapshotRequest {
  readonly trackId: string;
  readonly tag: string;
  /** The time as the caller wrote it. */
  readonly timestamp: string;
  readonly at: number;
  readonly windowSeconds: number;
  /** The detections of the window, and perhaps more. */
  readonly spots: Spots;
  readonly stays: readonly ZoneStay[];
  /** `time` is the broker time of the located spot; null when unknown. */
  zonesAt(time: number | null): KnownZones;
}

/** @returns null when there is no detection in the window. */
export function snapshotOf(request: SnapshotRequest): TrackSnapshot | null {
  const { at, windowSeconds, stays } = request;
  const spots = spotsWithin(request.spots, at - windowSeconds * 1000, at + windowSeconds * 1000);
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

/** @returns undefined when there is no detection at all. */
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

function seenTime(method: Located["method"], at: number, offsetMs: number): number {
  if (method === "forward_extrapolation") return at - offsetMs;
  return method === "backward_extrapolation" ? at + offsetMs : at;
}

const shownPlace = (box: Box | null, place: GeoPoint | null): ShownPlace => ({
  pix: box === null ? null : centreOf(box),
  geo: place === null ? null : { lon: place.longitude, lat: place.latitude },
});

const corners = (box: Box | null): Corners =>
  box === null
    ? null
    : [
        [box.minX, box.minY],
        [box.maxX, box.minY],
        [box.maxX, box.maxY],
        [box.minX, box.maxY],
      ];
