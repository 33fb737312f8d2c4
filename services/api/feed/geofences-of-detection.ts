// Finds the present geofences that contain a detection.
import type { DetectionRecord } from "../../../projections/history/queries/records.ts";
import type { Geofences } from "../../../projections/live/partition.ts";

/** Returns ids in ascending order. */
export function createGeofencesOfDetection(geofences: Geofences): (detection: DetectionRecord) => readonly string[] {
  const found = new WeakMap<DetectionRecord, readonly string[]>();
  const around: string[] = [];
  return (detection) => {
    const known = found.get(detection);
    if (known !== undefined) return known;
    const { position } = detection;
    const now = geofences.at(geofences.newest());
    const count = position === null ? 0 : now.find(position.longitude, position.latitude, around);
    const ids = around.slice(0, count);
    found.set(detection, ids);
    return ids;
  };
}
