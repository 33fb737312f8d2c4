// The areas of geofences as of every catalog offset that a message of the camera-log may still refer to.
import type { Polygon } from "../../schemas/events.ts";
import { type PreparedArea, prepareArea } from "../geometry/area.ts";

/** The area of a geofence from one offset of the catalog on. */
export interface AreaVersion {
  readonly offset: number;
  /** Broker time of the change, ms. */
  readonly recordedAt: number;
  /** Null when the geofence is deleted or not active. */
  readonly bounds: Polygon | null;
}

interface PreparedVersion extends AreaVersion {
  area: PreparedArea | null;
}

/** `keepMs` is the time for which a replaced area is kept, in ms of broker time. */
export function createGeofenceAreas(keepMs: number) {
  const versions = new Map<string, PreparedVersion[]>();

  return {
    /** @returns false when the geofence has the area already. */
    add(id: string, version: AreaVersion): boolean {
      const { recordedAt, bounds } = version;
      const known = versions.get(id) ?? [];
      if (bounds === (known.at(-1)?.bounds ?? null)) return false;
      known.push({ ...version, area: null });
      while ((known[1]?.recordedAt ?? recordedAt) < recordedAt - keepMs) known.shift();
      versions.set(id, known);
      return true;
    },

    /**
     * Returns the geofence's area as of the catalog offset `upTo`, and prepares it at the first call.
     * @returns null when the geofence is deleted or not active at that offset.
     */
    at(id: string, upTo: number): PreparedArea | null {
      const version = versions.get(id)?.findLast(({ offset }) => offset <= upTo);
      if (version === undefined || version.bounds === null) return null;
      version.area ??= prepareArea(version.bounds.rings);
      return version.area;
    },
  };
}
