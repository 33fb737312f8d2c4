// The zones that a track was in at an instant, by its box there.
import type { Zone } from "../../schemas/events.ts";
import type { Box } from "../box.ts";
import { createProbe, loadProbe, prepareShape, type Shape } from "../live/geometry.ts";
import { percentInside } from "../live/inside.ts";
import type { Spots } from "./spot.ts";

/** A zone as far as it decides what is inside. */
export type ZoneArea = Pick<Zone, "zoneId" | "name" | "polygon" | "anchor">;

/** An intersection of the track with a zone; times in ms. */
export interface Stay {
  readonly zoneId: string;
  readonly startTime: number;
  /** null: it has not ended. */
  readonly endTime: number | null;
}

export interface ZoneMembership {
  readonly zone_id: string;
  readonly zone_name: string;
  /** Share of the box inside the zone, 0 to 100. */
  readonly intersection_percent: number;
  /** Seconds since the track entered. */
  readonly dwell_at_timestamp: number;
}

export interface MembershipRequest {
  readonly at: number;
  /** The time of the nearest detection if `at` lies beyond all of them, else `at`. */
  readonly seenAt: number;
  readonly box: Box | null;
  readonly zones: readonly ZoneArea[];
  readonly stays: readonly Stay[];
  /** Of the window. */
  readonly spots: Spots;
}

/** By zone id. */
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

/** The recorded entry; if there is none, the first of the detections up to `at` that were inside without a break. */
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

// Scratch of this thread.
const probe = createProbe();
const shapes = new WeakMap<ZoneArea, Shape>();

/** -1 = outside. */
function percentOf(zone: ZoneArea, { minX, minY, maxX, maxY }: Box): number {
  let shape = shapes.get(zone);
  if (shape === undefined) {
    shape = prepareShape(zone.polygon.rings);
    shapes.set(zone, shape);
  }
  loadProbe(probe, [[minX, minY, maxX, minY, maxX, maxY, minX, maxY, minX, minY]]);
  return percentInside(shape, zone.anchor, probe);
}
