// Finds the present zones that contain a detection.

import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { DetectionRecord } from "../../../projections/history/queries/records.ts";
import { createZonesOfPolygon as createZonesOf } from "../../../projections/live/zones-of-detection.ts";
import type { Zone } from "../../../schemas/events.ts";

/** Returns ids in ascending order. */
export function createZonesOfRecord(zones: ZonesView): (detection: DetectionRecord) => readonly string[] {
  const zonesOf = createZonesOf();
  const found = new WeakMap<DetectionRecord, readonly string[]>();
  /**
   * Active zones by data source, kept for one turn of the event loop: no zone changes within it, and each look-up in
   * the view is a scan of all zones.
   */
  const bySource = new Map<string, readonly Zone[]>();

  function activeZones(dataSourceId: string): readonly Zone[] {
    const known = bySource.get(dataSourceId);
    if (known !== undefined) return known;
    if (bySource.size === 0) setImmediate(() => bySource.clear());
    const active = zones.zonesOf(dataSourceId).filter((zone) => zone.active);
    active.sort((a, b) => (a.zoneId < b.zoneId ? -1 : 1));
    bySource.set(dataSourceId, active);
    return active;
  }

  return (detection) => {
    const known = found.get(detection);
    if (known !== undefined) return known;
    const ids = zonesOf(detection.polygon, activeZones(detection.dataSourceId));
    found.set(detection, ids);
    return ids;
  };
}
