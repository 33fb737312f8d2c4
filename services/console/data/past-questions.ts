// Questions about the past of a camera.
import type { Density } from "../past/density.ts";
import { bucketSizeOf } from "../past/density.ts";
import type { Range } from "../past/scale.ts";
import type { SceneZone } from "../picture/scene.ts";
import type { Point, Ring } from "../picture/view.ts";
import type { Asks } from "./asks.ts";
import type { PastDetection, Still } from "./reel.ts";
import { type SeenStay, SILENCE_MS } from "./scene-fold.ts";

/** At most so many tracks are in a picture of the past. */
export const MOST_TRACKS = 3_000;
const PAGE = 1_000;

const SEEN = /* GraphQL */ `
  fragment PastSeen on Detection {
    timestamp
    createdAt
    polygon { coordinates }
    position { coordinates }
  }
`;

const STILL = /* GraphQL */ `
  ${SEEN}
  query Still($id: ID!, $start: DateTimeOffset!, $end: DateTimeOffset!, $after: String, $trail: Int!) {
    tracks(
      filter: { dataSourceId: { eq: $id }, timeRange: { intersecting: { start: $start, end: $end } } }
      first: 1000
      after: $after
    ) {
      pageInfo { hasNextPage endCursor }
      edges {
        node {
          id
          tag
          detections(
            filter: { time: { between: [$start, $end] } }
            first: $trail
            sort: [{ field: DETECTION_TIME, direction: DESC }]
          ) { ...PastSeen }
          zoneIntersections { id startTime endTime zone { id } }
        }
      }
    }
  }
`;

const DETECTIONS = /* GraphQL */ `
  ${SEEN}
  query PastDetections($id: ID!, $time: FilterDateTimeOffsetInput!, $after: String, $stays: Boolean!) {
    detections(filter: { dataSourceId: { eq: $id }, time: $time }, first: 1000, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node { ...PastSeen track { id tag } } }
    }
    zoneIntersections(filter: { dataSourceId: { eq: $id }, time: $time }, first: 1000) @include(if: $stays) {
      edges { node { id startTime endTime zone { id } track { id } } }
    }
  }
`;

const PLACES = /* GraphQL */ `
  query Places($id: ID!, $time: FilterDateTimeOffsetInput!, $after: String) {
    detections(filter: { dataSourceId: { eq: $id }, time: $time }, first: 1000, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node { polygon { coordinates } position { coordinates } } }
    }
  }
`;

const FRAME = /* GraphQL */ `
  query Frame($id: ID!, $time: FilterDateTimeOffsetInput!, $direction: SortDirection!) {
    detections(
      filter: { dataSourceId: { eq: $id }, time: $time }
      first: 1
      sort: [{ field: DETECTION_TIME, direction: $direction }]
    ) {
      edges { node { timestamp } }
    }
  }
`;

const ZONES = /* GraphQL */ `
  query PastZones($id: ID!, $asOf: DateTimeOffset!) {
    zones(asOf: $asOf, filter: { dataSourceId: { eq: $id } }, first: 1000) {
      edges { node { id name active updatedAt polygon { coordinates } } }
    }
  }
`;

const DENSITY = /* GraphQL */ `
  query Density($id: ID!, $start: DateTimeOffset!, $end: DateTimeOffset!, $size: SummaryBucketSize!) {
    detectionsSummary(
      startTime: $start
      endTime: $end
      filter: { dataSource: { id: { eq: $id } } }
      detectionsBucket: { size: $size }
    ) {
      buckets { key { time } total }
    }
  }
`;

interface SeenNode {
  readonly timestamp: string;
  readonly createdAt: string | null;
  readonly polygon: { readonly coordinates: readonly Ring[] } | null;
  readonly position: { readonly coordinates: Point } | null;
}

interface StayNode {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly zone: { readonly id: string };
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

interface Edges<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

interface TrackNode {
  readonly id: string;
  readonly tag: string;
  readonly detections: readonly SeenNode[];
  readonly zoneIntersections: readonly StayNode[] | null;
}

/**
 * The picture of a moment.
 * @param trail the most detections of each track, 1 or more.
 */
export async function askStill(
  { ask }: Asks,
  { id, at, trail, signal }: { id: string; at: number; trail: number; signal: AbortSignal },
): Promise<Still> {
  const detections: PastDetection[] = [];
  const stays: SeenStay[] = [];
  // A track ends when it was silent for its time to live, so that moment is not in it.
  const range = { start: isoOf(at - SILENCE_MS + 1), end: isoOf(at) };
  let after: string | null = null;
  for (let tracks = 0; tracks < MOST_TRACKS; tracks += PAGE) {
    const variables = { id, ...range, trail, after };
    const answer: { tracks: Edges<TrackNode> & { pageInfo: PageInfo } } = await ask(STILL, variables, signal);
    for (const { node } of answer.tracks.edges) {
      detections.push(...node.detections.map((seen) => detectionOf(seen, node)));
      stays.push(...(node.zoneIntersections ?? []).map((stay) => stayOf(stay, node.id)));
    }
    after = answer.tracks.pageInfo.endCursor;
    if (!answer.tracks.pageInfo.hasNextPage) break;
  }
  return { at, detections, stays: stays.filter(({ endedAt }) => endedAt === null || endedAt > at) };
}

export interface DetectionsPage {
  readonly detections: readonly PastDetection[];
  /** Stays that begin in the range; only of the first page. */
  readonly stays: readonly SeenStay[];
  /** Undefined after the last page. */
  readonly next: string | undefined;
}

/** @param after the `next` of the page before. */
export async function askDetections(
  { ask }: Asks,
  { id, range, after, signal }: { id: string; range: Range; after: string | undefined; signal: AbortSignal },
): Promise<DetectionsPage> {
  type Seen = SeenNode & { readonly track: { readonly id: string; readonly tag: string } };
  type Stay = StayNode & { readonly track: { readonly id: string } };
  const variables = { id, time: between(range), after: after ?? null, stays: after === undefined };
  const { detections, zoneIntersections } = await ask<{
    detections: Edges<Seen> & { pageInfo: PageInfo };
    zoneIntersections?: Edges<Stay>;
  }>(DETECTIONS, variables, signal);
  const { hasNextPage, endCursor } = detections.pageInfo;
  return {
    detections: detections.edges.map(({ node }) => detectionOf(node, node.track)),
    stays: (zoneIntersections?.edges ?? []).map(({ node }) => stayOf(node, node.track.id)),
    next: hasNextPage ? (endCursor ?? undefined) : undefined,
  };
}

export interface PlacesPage {
  readonly places: readonly { readonly ring: Ring; readonly position: Point | null }[];
  /** Undefined after the last page. */
  readonly next: string | undefined;
}

/** Where the detections of a range were. @param after the `next` of the page before. */
export async function askPlaces(
  { ask }: Asks,
  { id, range, after, signal }: { id: string; range: Range; after: string | undefined; signal: AbortSignal },
): Promise<PlacesPage> {
  type Place = Pick<SeenNode, "polygon" | "position">;
  const variables = { id, time: between(range), after: after ?? null };
  const answer = await ask<{ detections: Edges<Place> & { pageInfo: PageInfo } }>(PLACES, variables, signal);
  const { edges, pageInfo } = answer.detections;
  return {
    places: edges.map(({ node: { polygon, position } }) => ({
      ring: polygon?.coordinates[0] ?? [],
      position: position?.coordinates ?? null,
    })),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
  };
}

/** @returns the time of the next detection after or before the moment; undefined when there is none. */
export async function askFrame(
  { ask }: Asks,
  { id, at, isLater, signal }: { id: string; at: number; isLater: boolean; signal: AbortSignal },
): Promise<number | undefined> {
  const range = isLater ? { from: at + 1, to: LAST_MS } : { from: FIRST_MS, to: at - 1 };
  const variables = { id, time: between(range), direction: isLater ? "ASC" : "DESC" };
  const answer = await ask<{ detections: Edges<{ readonly timestamp: string }> }>(FRAME, variables, signal);
  const [first] = answer.detections.edges;
  return first && Date.parse(first.node.timestamp);
}

/** Zones as the log knew them at that time, which must not be in the future. */
export async function askZones(
  { ask }: Asks,
  { id, asOf, signal }: { id: string; asOf: number; signal: AbortSignal },
): Promise<readonly SceneZone[]> {
  interface Node {
    readonly id: string;
    readonly name: string;
    readonly active: boolean;
    readonly updatedAt: string | null;
    readonly polygon: { readonly coordinates: readonly Ring[] };
  }
  const { zones } = await ask<{ zones: Edges<Node> }>(ZONES, { id, asOf: isoOf(asOf) }, signal);
  return zones.edges.map(({ node: { active, polygon, ...zone } }) => ({
    ...zone,
    rings: polygon.coordinates,
    isActive: active,
  }));
}

export async function askDensity(
  { ask }: Asks,
  { id, range, signal }: { id: string; range: Range; signal: AbortSignal },
): Promise<Density> {
  interface Answer {
    readonly detectionsSummary: { readonly buckets: readonly { key: { time: string }; total: number }[] | null } | null;
  }
  const { name, ms } = bucketSizeOf(range);
  const variables = { id, start: isoOf(range.from), end: isoOf(range.to), size: name };
  const { detectionsSummary } = await ask<Answer>(DENSITY, variables, signal);
  const buckets = (detectionsSummary?.buckets ?? []).map(({ key, total }) => ({
    from: Date.parse(key.time),
    count: total,
  }));
  return { bucketMs: ms, buckets };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
const between = ({ from, to }: Range) => ({ between: [isoOf(from), isoOf(to)] });

/** The years that the interface takes. */
const FIRST_MS = Date.UTC(1900, 0, 1);
const LAST_MS = Date.UTC(2299, 11, 31);

const detectionOf = (
  { timestamp, createdAt, polygon, position }: SeenNode,
  { id, tag }: { readonly id: string; readonly tag: string },
): PastDetection => ({
  trackId: id,
  tag,
  at: Date.parse(timestamp),
  ring: polygon?.coordinates[0] ?? [],
  position: position?.coordinates ?? null,
  recordedAt: createdAt === null ? null : Date.parse(createdAt),
});

const stayOf = ({ id, startTime, endTime, zone }: StayNode, trackId: string): SeenStay => ({
  id,
  trackId,
  zoneId: zone.id,
  since: Date.parse(startTime),
  endedAt: endTime === null ? null : Date.parse(endTime),
});
