// The zones of one detection, by the rule of the live fold without hysteresis, which needs several detections.
import type { Polygon, Zone } from "../../schemas/events.ts";
import { createProbe, loadProbe, type Probe, prepareShape, type Shape } from "../geometry/shape.ts";
import { percentInside } from "./inside.ts";

/** Returns the ids in the order of the given zones. */
export function createZonesOfPolygon(): (polygon: Polygon | null, zones: readonly Zone[]) => readonly string[] {
  const shapes = new WeakMap<Zone, Shape>();
  const probe = createProbe();

  function shapeOf(zone: Zone): Shape {
    let shape = shapes.get(zone);
    if (shape === undefined) {
      shape = prepareShape(zone.polygon.rings);
      shapes.set(zone, shape);
    }
    return shape;
  }

  return (polygon, zones) => {
    const ids: string[] = [];
    if (polygon === null) return ids;
    loadProbe(probe, polygon.rings);
    for (const zone of zones) {
      const shape = shapeOf(zone);
      if (touches(shape, probe) && percentInside(shape, zone.anchor, probe) >= 0) ids.push(zone.zoneId);
    }
    return ids;
  };
}

const touches = (shape: Shape, probe: Probe): boolean =>
  probe.maxX >= shape.minX && probe.minX <= shape.maxX && probe.maxY >= shape.minY && probe.minY <= shape.maxY;
