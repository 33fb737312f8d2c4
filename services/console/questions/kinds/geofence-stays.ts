import { geofences } from "../filters.ts";
import { listQuestion } from "../list.ts";
import { LASTING } from "../times-of.ts";
import { linksOfTrack, type Named, spanOf, stayLength } from "./nodes.ts";

interface GeofenceStay {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly geofence: Named;
  readonly track: { readonly id: string; readonly tag: string; readonly dataSource: Named | null };
}

export const geofenceStays = listQuestion<GeofenceStay>({
  id: "geofence-intersections",
  name: "Stays in geofences",
  about: "Who was in an area of the Earth, from when to when.",
  time: "periods",
  field: "geofenceIntersections",
  filterType: "FilterGeofenceIntersectionInput!",
  sortType: "GeofenceIntersectionsSort",
  sorts: [{ key: "start", name: "Start", field: "START_TIME" }],
  relations: LASTING,
  always: { time: {} },
  filters: [geofences("geofenceId")],
  selection: `
    id startTime endTime
    geofence { id name }
    track { id tag dataSource { id name } }`,
  columns: [
    { name: "Geofence", kind: "text", isLane: true, of: ({ geofence }) => geofence.name },
    { name: "Tag", kind: "tag", isLane: true, of: ({ track }) => track.tag },
    { name: "Start", kind: "time", of: ({ startTime }) => startTime },
    { name: "End", kind: "time", of: ({ endTime }) => endTime },
    { name: "Length", kind: "length", of: stayLength },
    { name: "Camera", kind: "text", isLane: true, of: ({ track }) => track.dataSource?.name ?? null },
    { name: "Track", kind: "text", isLane: true, of: ({ track }) => track.id },
    { name: "Geofence id", kind: "text", isForFiles: true, of: ({ geofence }) => geofence.id },
    { name: "Camera id", kind: "text", isForFiles: true, of: ({ track }) => track.dataSource?.id ?? null },
  ],
  row: (stay, moment) => {
    const span = spanOf(stay, stay.track.tag);
    return { id: stay.id, span, links: linksOfTrack(stay.track.dataSource, stay.track.id, moment ?? span.from) };
  },
});
