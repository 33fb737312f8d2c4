// Writes a generated scene as files that the import reads: boxes as MOTChallenge tracker output, zones as GeoJSON.
import type { SceneCamera } from "./scene/types.ts";

export interface SceneFileOptions {
  readonly start: number;
  readonly fps: number;
}

/** Columns: frame,id,left,top,width,height,conf,x,y,z with frames from 1; fields without a value are -1. */
export function trackerLines(camera: SceneCamera, { start, fps }: SceneFileOptions): string {
  const numbers = new Map(camera.tracks.map(({ trackId }, i) => [trackId, 1 + i]));
  const lines = camera.detections.map(({ trackId, timestamp, box: [left, top, right, bottom] }) => {
    const frame = 1 + Math.round(((timestamp - start) * fps) / 1_000);
    return [frame, numbers.get(trackId), left, top, right - left, bottom - top, 1, -1, -1, -1].join(",");
  });
  return `${lines.join("\n")}\n`;
}

/** Cameras of the demo keep their names from scene to scene. */
export const dataSourceName = ({ name }: SceneCamera): string => `demo ${name}`;

export function zonesGeoJson(camera: SceneCamera): string {
  const features = camera.zones.map(({ name, rings }) => ({
    type: "Feature",
    properties: { name },
    geometry: { type: "Polygon", coordinates: rings },
  }));
  return JSON.stringify({ type: "FeatureCollection", features });
}
