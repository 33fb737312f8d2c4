import { cameras, tags, zones } from "../filters.ts";
import { listQuestion } from "../list.ts";
import { LASTING } from "../times-of.ts";
import { linksOfTrack, type Named, spanOf, stayLength } from "./nodes.ts";

interface ZoneStay {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly zone: Named;
  readonly track: { readonly id: string; readonly tag: string; readonly dataSource: Named | null };
}

export const zoneStays = listQuestion<ZoneStay>({
  id: "intersections",
  name: "Stays in zones",
  about: "Who was in a zone, from when to when.",
  time: "periods",
  field: "zoneIntersections",
  filterType: "FilterZoneIntersectionInput!",
  sortType: "ZoneIntersectionsSort",
  sorts: [{ key: "start", name: "Start", field: "START_TIME" }],
  relations: LASTING,
  always: { time: {} },
  filters: [cameras("dataSourceId"), zones("zoneId"), tags("tag")],
  selection: `
    id startTime endTime
    zone { id name }
    track { id tag dataSource { id name } }`,
  columns: [
    { name: "Zone", kind: "text", isLane: true, of: ({ zone }) => zone.name },
    { name: "Tag", kind: "tag", isLane: true, of: ({ track }) => track.tag },
    { name: "Start", kind: "time", of: ({ startTime }) => startTime },
    { name: "End", kind: "time", of: ({ endTime }) => endTime },
    { name: "Length", kind: "length", of: stayLength },
    { name: "Camera", kind: "text", isLane: true, of: ({ track }) => track.dataSource?.name ?? null },
    { name: "Track", kind: "text", isLane: true, of: ({ track }) => track.id },
    { name: "Zone id", kind: "text", isForFiles: true, of: ({ zone }) => zone.id },
    { name: "Camera id", kind: "text", isForFiles: true, of: ({ track }) => track.dataSource?.id ?? null },
  ],
  row: (stay, moment) => {
    const span = spanOf(stay, stay.track.tag);
    return { id: stay.id, span, links: linksOfTrack(stay.track.dataSource, stay.track.id, moment ?? span.from) };
  },
});
