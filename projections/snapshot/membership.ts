// The zones that a track was in at an instant, derived from its box there.
import type { Zone } from "../../schemas/events.ts";
import type { ZoneMembership } from "../../schemas/rest/detections.ts";
import type { Box } from "../geometry/box.ts";
import { createProbe, loadProbe, prepareShape, type Shape } from "../geometry/shape.ts";
import { percentInside } from "../live/inside.ts";
import type { Spots } from "./spot.ts";

/** The fields of a zone that decide which boxes are inside. */
export type ZoneArea = Pick<Zone, "zoneId" | "name" | "polygon" | "anchor">;

/** An intersection of the track with a zone; times in ms. */
export interface ZoneStay {
  readonly zoneId: string;
  readonly startTime: number;
  /** Null while it has not ended. */
  readonly endTime: number | null;
}

export interface MembershipRequest {
  readonly at: number;
  /** The time of the nearest detection when `at` is beyond all of them, else `at`. */
  readonly seenAt: number;
  readonly box: Box | null;
  readonly zones: readonly ZoneArea[];
  readonly stays: readonly ZoneStay[];
  /** The detections of the window. */
  readonly spots: Spots;
}

/** The zones that the track was in, by zone id. */
export function membershipAt(request: MembershipRequest): Record<string, ZoneMembership> {
  const { box, zones, at } = request;
  const found: [string, ZoneMembership][] = [];
  for (const zone of zones) {
    const percent = box === null ? -1 : percentOf(zone, box);
    if (percent < 0) continue;
    const dwell = Math.max(0, at - enteredAt(zone, request)) / 1000;
    const { zoneId: zone_id, name: zone_name } = zone;
    found.push([zone_id, { zone_id, zone_name, intersection_percent: percent, dwell_at_timestamp: dwell }]);
  }
  return Object.fromEntries(found);
}

/**
 * Returns the time at which the track entered the zone: the start of the recorded intersection. Without one, it is the
 * time of the first detection in the unbroken run of detections inside that reaches up to `at`.
 */
function enteredAt(zone: ZoneArea, { at, seenAt, stays, spots }: MembershipRequest): number {
  let entered: number | undefined;
  for (const { zoneId, startTime, endTime } of stays) {
    const runs = zoneId === zone.zoneId && startTime <= seenAt && (endTime === null || endTime >= seenAt);
    if (runs) entered = Math.max(entered ?? startTime, startTime);
  }
  if (entered !== undefined) return entered;
  entered = at;
  for (const spot of spots.toReversed()) {
    if (spot.at > at || spot.box === null) continue;
    if (percentOf(zone, spot.box) < 0) break;
    entered = spot.at;
  }
  return entered;
}

// Each thread has its own probe, which every call reuses.
const probe = createProbe();
const shapes = new WeakMap<ZoneArea, Shape>();

/** @returns a negative number when the box is outside. */
function percentOf(zone: ZoneArea, { minX, minY, maxX, maxY }: Box): number {
  let shape = shapes.get(zone);
  if (shape === undefined) {
    shape = prepareShape(zone.polygon.rings);
    shapes.set(zone, shape);
  }
  loadProbe(probe, [[minX, minY, maxX, minY, maxX, maxY, minX, maxY, minX, minY]]);
  return percentInside(shape, zone.anchor, probe);
}
