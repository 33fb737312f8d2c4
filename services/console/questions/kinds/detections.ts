import { cameras, exactly, geofences, positions, tags, zones } from "../filters.ts";
import { listQuestion } from "../list.ts";
import { instants } from "../times-of.ts";
import { linksOfTrack, type Named, textOfList } from "./nodes.ts";

interface DetectionNode {
  readonly id: string;
  readonly timestamp: string;
  readonly tag: string;
  readonly zones: readonly Named[];
  readonly position: { readonly coordinates: readonly number[] } | null;
  readonly track: { readonly id: string; readonly dataSource: Named | null };
}

export const detections = listQuestion<DetectionNode>({
  id: "detections",
  name: "Detections",
  about: "Each single sighting of an object.",
  time: "instants",
  field: "detections",
  filterType: "FilterDetectionInput!",
  sortType: "DetectionsSort",
  sorts: [
    { key: "time", name: "Time", field: "DETECTION_TIME" },
    { key: "track", name: "Track", field: "GLOBAL_TRACK_ID" },
  ],
  relations: instants("time"),
  always: { time: {} },
  filters: [
    cameras("dataSourceId"),
    zones("zoneId"),
    geofences("geofenceId"),
    tags("tag"),
    exactly("track", "Track id", "trackId"),
    positions("Position in"),
  ],
  selection: `
    id timestamp tag
    zones { id name }
    position { coordinates }
    track { id dataSource { id name } }`,
  columns: [
    { name: "Time", kind: "time", of: ({ timestamp }) => timestamp },
    { name: "Tag", kind: "tag", isLane: true, of: ({ tag }) => tag },
    { name: "Camera", kind: "text", isLane: true, of: ({ track }) => track.dataSource?.name ?? null },
    { name: "Zones", kind: "text", of: ({ zones: inside }) => textOfList(inside.map(({ name }) => name)) },
    { name: "Track", kind: "text", isLane: true, of: ({ track }) => track.id },
    { name: "Longitude", kind: "number", isForFiles: true, of: ({ position }) => position?.coordinates[0] ?? null },
    { name: "Latitude", kind: "number", isForFiles: true, of: ({ position }) => position?.coordinates[1] ?? null },
    { name: "Camera id", kind: "text", isForFiles: true, of: ({ track }) => track.dataSource?.id ?? null },
  ],
  row: ({ id, timestamp, tag, track }) => {
    const at = Date.parse(timestamp);
    return { id, span: { from: at, to: at, tag }, links: linksOfTrack(track.dataSource, track.id, at) };
  },
});
