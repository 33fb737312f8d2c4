import {
  cameraLabels,
  cameras,
  cameraType,
  exactly,
  finished,
  places,
  positions,
  rare,
  sites,
  tags,
} from "../filters.ts";
import { listQuestion } from "../list.ts";
import { LASTING } from "../times-of.ts";
import { linksOfTrack, type Named, spanOf, stayLength } from "./nodes.ts";

interface TrackNode {
  readonly id: string;
  readonly tag: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly dataSource: Named | null;
  readonly zoneIntersections: readonly { readonly zone: { readonly name: string } }[] | null;
}

const zonesOf = ({ zoneIntersections }: TrackNode): string =>
  [...new Set((zoneIntersections ?? []).map(({ zone }) => zone.name))].join(", ");

export const tracks = listQuestion<TrackNode>({
  id: "tracks",
  name: "Tracks",
  about: "What cameras saw, each object from its first detection to its last.",
  time: "periods",
  field: "tracks",
  filterType: "FilterTrackInput!",
  sortType: "TracksSort",
  sorts: [{ key: "start", name: "Start", field: "TRACK_START_TIME" }],
  relations: LASTING,
  filters: [
    cameras("dataSourceId"),
    tags("tag"),
    sites("siteId"),
    finished,
    exactly("track", "Track id", "id"),
    exactly("attribute", "Attribute", "attribute.value"),
    exactly("identifier", "Identifier", "identifier.value"),
    rare(exactly("attributeType", "Kind of attribute", "attribute.type")),
    rare(exactly("identifierType", "Kind of identifier", "identifier.type")),
    positions("Seen in"),
    rare(places("pointOfInterestId")),
    cameraType("dataSourceType"),
    rare(cameraLabels("dataSourceLabels")),
    rare(exactly("model", "Model id", "modelId")),
  ],
  selection: `
    id tag startTime endTime
    dataSource { id name }
    zoneIntersections { zone { name } }`,
  columns: [
    { name: "Tag", kind: "tag", isLane: true, of: ({ tag }) => tag },
    { name: "Camera", kind: "text", isLane: true, of: ({ dataSource }) => dataSource?.name ?? null },
    { name: "Start", kind: "time", of: ({ startTime }) => startTime },
    { name: "End", kind: "time", of: ({ endTime }) => endTime },
    { name: "Length", kind: "length", of: stayLength },
    { name: "Zones", kind: "text", of: zonesOf },
    { name: "Track", kind: "text", isLane: true, of: ({ id }) => id },
    { name: "Camera id", kind: "text", isForFiles: true, of: ({ dataSource }) => dataSource?.id ?? null },
  ],
  row: (track, moment) => {
    const span = spanOf(track, track.tag);
    const { id, dataSource } = track;
    // An id belongs to one camera; another camera may have a track with the same id.
    return { id: `${dataSource?.id} ${id}`, span, links: linksOfTrack(dataSource, id, moment ?? span.from) };
  },
});
