// The zones that a detection is inside of, as the zones stand now and by the state machine's rule for one detection
// (without its hysteresis, which is about several).

import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { DetectionRecord } from "../../../projections/history/queries/records.ts";
import {
  contains,
  createProbe,
  insidePercent,
  loadProbe,
  prepareShape,
  type Shape,
} from "../../../projections/live/geometry.ts";
import type { Zone } from "../../../schemas/events.ts";

/** Ids in ascending order. */
export function createZonesOfDetection(zones: ZonesView): (detection: DetectionRecord) => readonly string[] {
  const shapes = new WeakMap<Zone, Shape>();
  const found = new WeakMap<DetectionRecord, readonly string[]>();
  const probe = createProbe();
  /** Within one turn of the loop no zone changes; asking the view anew for each detection would be a scan each. */
  const bySource = new Map<string, readonly Zone[]>();

  function zonesOf(dataSourceId: string): readonly Zone[] {
    const known = bySource.get(dataSourceId);
    if (known !== undefined) return known;
    if (bySource.size === 0) setImmediate(() => bySource.clear());
    const active = zones.zonesOf(dataSourceId).filter((zone) => zone.active);
    active.sort((a, b) => (a.zoneId < b.zoneId ? -1 : 1));
    bySource.set(dataSourceId, active);
    return active;
  }

  function shapeOf(zone: Zone): Shape {
    let shape = shapes.get(zone);
    if (shape === undefined) {
      shape = prepareShape(zone.polygon.rings);
      shapes.set(zone, shape);
    }
    return shape;
  }

  function isInside(zone: Zone): boolean {
    const shape = shapeOf(zone);
    if (probe.maxX < shape.minX || probe.minX > shape.maxX || probe.maxY < shape.minY || probe.minY > shape.maxY) {
      return false;
    }
    if (zone.anchor === "area") return insidePercent(shape, probe) > 0;
    return contains(shape, (probe.minX + probe.maxX) / 2, probe.maxY);
  }

  return (detection) => {
    const known = found.get(detection);
    if (known !== undefined) return known;
    const ids: string[] = [];
    if (detection.polygon !== null) {
      const candidates = zonesOf(detection.dataSourceId);
      loadProbe(probe, detection.polygon.rings);
      for (const zone of candidates) if (isInside(zone)) ids.push(zone.zoneId);
    }
    found.set(detection, ids);
    return ids;
  };
}
