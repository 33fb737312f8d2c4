// The questions of a live picture: subscriptions for what is new, and queries for what was there before.
import type { SceneZone } from "../picture/scene.ts";
import type { Point, Ring } from "../picture/view.ts";
import type { Crossing } from "./crossings.ts";
import type { SeenDetection, SeenStay } from "./scene-fold.ts";

const SEEN = /* GraphQL */ `
  fragment Seen on Detection {
    timestamp
    polygon { coordinates }
    position { coordinates }
    track { id tag dataSource { id } }
  }
`;

export const STAY = /* GraphQL */ `
  fragment Stay on ZoneIntersection {
    id
    startTime
    endTime
    zone { id name }
    track { id tag dataSource { id } }
  }
`;

export const NEW_DETECTIONS = /* GraphQL */ `
  ${SEEN}
  subscription NewDetections($ids: [ID!]!) {
    detectionActivity(filter: { dataSourceId: { in: $ids } }) { ...Seen }
  }
`;

export const NEW_STAYS = /* GraphQL */ `
  ${STAY}
  subscription NewStays($ids: [ID!]!) {
    zoneIntersections(filter: { dataSourceId: { in: $ids } }) { message { ...Stay } }
  }
`;

export const NEW_ENDS = /* GraphQL */ `
  subscription NewEnds($ids: [ID!]!) {
    tracks(filter: { dataSourceId: { in: $ids }, state: { eq: END } }) { message { id endTime dataSource { id } } }
  }
`;

export const LAST_DETECTIONS = /* GraphQL */ `
  ${SEEN}
  query LastDetections($ids: [ID!]!, $time: FilterDateTimeOffsetInput!) {
    detections(
      filter: { dataSourceId: { in: $ids }, time: $time }
      first: 1000
      sort: [{ field: DETECTION_TIME, direction: DESC }]
    ) {
      edges { node { ...Seen } }
    }
  }
`;

/** The stays of all tracks that have not ended, in pages. */
export const OPEN_TRACKS = /* GraphQL */ `
  ${STAY}
  query OpenTracks($ids: [ID!]!, $after: String) {
    tracks(filter: { dataSourceId: { in: $ids }, finished: { eq: false } }, first: 1000, after: $after) {
      edges { node { zoneIntersections { ...Stay } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

export const ZONES = /* GraphQL */ `
  query ZonesOfCameras($ids: [ID!]!, $after: String) {
    zones(filter: { dataSourceId: { in: $ids } }, first: 1000, after: $after) {
      edges { node { id name active updatedAt dataSource { id } polygon { coordinates } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

export const LAST_STAYS = /* GraphQL */ `
  ${STAY}
  query LastStays($ids: [ID!]!, $time: FilterDateTimeOffsetInput!) {
    zoneIntersections(
      filter: { dataSourceId: { in: $ids }, time: $time }
      first: 50
      sort: [{ field: START_TIME, direction: DESC }]
    ) {
      edges { node { ...Stay } }
    }
  }
`;

export interface Edges<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

/** Null when it does not exist any more. */
export type Source = { readonly id: string } | null;

export interface DetectionNode {
  readonly timestamp: string;
  readonly polygon: { readonly coordinates: readonly Ring[] } | null;
  readonly position: { readonly coordinates: Point } | null;
  readonly track: { readonly id: string; readonly tag: string; readonly dataSource: Source };
}

export interface StayNode {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly zone: { readonly id: string; readonly name: string };
  readonly track: { readonly id: string; readonly tag: string; readonly dataSource: Source };
}

export interface EndNode {
  readonly id: string;
  readonly endTime: string | null;
  readonly dataSource: Source;
}

export interface ZoneNode {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly updatedAt: string | null;
  readonly dataSource: Source;
  readonly polygon: { readonly coordinates: readonly Ring[] };
}

export interface DetectionsAnswer {
  readonly detections: Edges<DetectionNode>;
}

export interface OpenTracksAnswer {
  readonly tracks: Edges<{ readonly zoneIntersections: readonly StayNode[] | null }> & {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

export interface StaysAnswer {
  readonly zoneIntersections: Edges<StayNode>;
}

export const seenOf = ({ track, timestamp, polygon, position }: DetectionNode): SeenDetection => ({
  trackId: track.id,
  tag: track.tag,
  at: Date.parse(timestamp),
  ring: polygon?.coordinates[0] ?? [],
  position: position?.coordinates ?? null,
});

export const stayOf = ({ id, startTime, endTime, zone, track }: StayNode): SeenStay => ({
  id,
  trackId: track.id,
  zoneId: zone.id,
  since: Date.parse(startTime),
  endedAt: endTime === null ? null : Date.parse(endTime),
});

/** The beginning of a stay and, when it has ended, its end. */
export function crossingsOf(node: StayNode): readonly Crossing[] {
  const { since, endedAt, trackId, zoneId, id: stayId } = stayOf(node);
  const start = {
    stayId,
    isEnd: false,
    at: since,
    since,
    trackId,
    tag: node.track.tag,
    zoneId,
    zoneName: node.zone.name,
  };
  return endedAt === null ? [start] : [start, { ...start, isEnd: true, at: endedAt }];
}

export const sceneZoneOf = ({ id, name, active, updatedAt, polygon }: ZoneNode): SceneZone => ({
  id,
  name,
  rings: polygon.coordinates,
  isActive: active,
  updatedAt,
});
