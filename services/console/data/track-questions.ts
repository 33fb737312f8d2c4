// Questions about one track.

import { partsOf, type TrackStay } from "../past/path.ts";
import { boxOf } from "../picture/rings.ts";
import type { Box, Ring } from "../picture/view.ts";
import type { Asks } from "./asks.ts";
import { serverNow } from "./clock.ts";

export interface TrackRef {
  readonly dataSourceId: string;
  readonly trackId: string;
}

export interface TrackHeader {
  readonly id: string;
  readonly tag: string;
  readonly camera: string;
  readonly startTime: number;
  /** Null while the track goes on. */
  readonly endTime: number | null;
  readonly properties: readonly (readonly [type: string, value: string])[];
  readonly stays: readonly TrackStay[];
  readonly detections: number;
  /** Everything that the interface says of the track itself, besides stays. */
  readonly raw: object;
}

export interface PathSpot {
  readonly at: number;
  readonly box: Box;
  readonly recordedAt: number | null;
}

/** A path has at most this many detections. */
export const MOST_SPOTS = 10_000;
const PARTS = 50;
const PAGE = 1_000;

const TRACK = /* GraphQL */ `
  query TrackHeader($camera: ID!, $track: ID!) {
    tracks(filter: { dataSourceId: { eq: $camera }, id: { eq: $track } }, first: 1) {
      edges {
        node {
          id
          tag
          modelId
          startTime
          endTime
          finished
          metadata
          properties { identifier { type value } attributes { type value } }
          dataSource { id name }
          zoneIntersections { startTime endTime zone { id name } }
        }
      }
    }
    detections(filter: { dataSourceId: { eq: $camera }, trackId: { eq: $track }, time: {} }, first: 0) {
      totalCount
    }
  }
`;

const PATH = /* GraphQL */ `
  query TrackPath($camera: ID!, $track: ID!, $time: FilterDateTimeOffsetInput!, $first: Int!, $after: String) {
    detections(
      filter: { dataSourceId: { eq: $camera }, trackId: { eq: $track }, time: $time }
      first: $first
      after: $after
    ) {
      pageInfo { hasNextPage endCursor }
      edges { node { timestamp createdAt polygon { coordinates } } }
    }
  }
`;

const RAW = /* GraphQL */ `
  query RawDetection($camera: ID!, $track: ID!, $at: DateTimeOffset!) {
    detections(filter: { dataSourceId: { eq: $camera }, trackId: { eq: $track }, time: { eq: $at } }, first: 1) {
      edges {
        node {
          id
          timestamp
          createdAt
          direction
          metadata
          polygon { type coordinates }
          position { type coordinates }
          zones { id name }
          geofences { id name }
        }
      }
    }
  }
`;

interface Property {
  readonly type: string;
  readonly value: string;
}

interface TrackNode {
  readonly id: string;
  readonly tag: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly properties: { readonly identifier: Property | null; readonly attributes: readonly Property[] | null } | null;
  readonly dataSource: { readonly name: string } | null;
  readonly zoneIntersections:
    | readonly {
        readonly startTime: string;
        readonly endTime: string | null;
        readonly zone: { readonly id: string; readonly name: string };
      }[]
    | null;
}

interface Edges<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

/** @returns undefined when there is no such track. */
export async function askTrack(
  { ask }: Asks,
  { dataSourceId, trackId }: TrackRef,
  signal: AbortSignal,
): Promise<TrackHeader | undefined> {
  const { tracks, detections } = await ask<{
    tracks: Edges<TrackNode>;
    detections: { readonly totalCount: number };
  }>(TRACK, { camera: dataSourceId, track: trackId }, signal);
  const node = tracks.edges[0]?.node;
  if (node === undefined) return undefined;
  const { zoneIntersections, ...raw } = node;
  const { identifier, attributes } = node.properties ?? { identifier: null, attributes: null };
  return {
    id: node.id,
    tag: node.tag,
    camera: node.dataSource?.name ?? dataSourceId,
    startTime: Date.parse(node.startTime),
    endTime: node.endTime === null ? null : Date.parse(node.endTime),
    properties: [...(identifier ? [identifier] : []), ...(attributes ?? [])].map(({ type, value }) => [type, value]),
    stays: (zoneIntersections ?? []).map(({ startTime, endTime, zone }) => ({
      zoneId: zone.id,
      zoneName: zone.name,
      since: Date.parse(startTime),
      endedAt: endTime === null ? null : Date.parse(endTime),
    })),
    detections: detections.totalCount,
    raw,
  };
}

/**
 * Reads the path of a track: all of it, or the beginnings of equal parts of its time.
 * @param onPart gets what has come so far, ascending by time.
 */
export async function readPath(
  { ask }: Asks,
  { dataSourceId, trackId }: TrackRef,
  { startTime, endTime, detections }: TrackHeader,
  signal: AbortSignal,
  onPart: (spots: readonly PathSpot[]) => void,
): Promise<void> {
  type Node = { timestamp: string; createdAt: string | null; polygon: { coordinates: readonly Ring[] } | null };
  type Answer = { detections: Edges<Node> & { pageInfo: { hasNextPage: boolean; endCursor: string | null } } };
  const isWhole = detections <= MOST_SPOTS;
  const whole = { from: startTime, to: endTime ?? serverNow() };
  const first = isWhole ? PAGE : MOST_SPOTS / PARTS;
  const spots: PathSpot[] = [];
  for (const part of isWhole ? [undefined] : partsOf(whole, PARTS)) {
    const time = part ? { between: [new Date(part.from).toISOString(), new Date(part.to).toISOString()] } : {};
    let after: string | null = null;
    do {
      const variables = { camera: dataSourceId, track: trackId, time, first, after };
      const answer: Answer = await ask<Answer>(PATH, variables, signal);
      const { edges, pageInfo } = answer.detections;
      for (const { node } of edges) if (node.polygon !== null) spots.push(spotOf(node, node.polygon.coordinates));
      after = isWhole && pageInfo.hasNextPage && spots.length < MOST_SPOTS ? pageInfo.endCursor : null;
      onPart(spots);
    } while (after !== null);
  }
}

const spotOf = (
  { timestamp, createdAt }: { readonly timestamp: string; readonly createdAt: string | null },
  [outer = []]: readonly Ring[],
): PathSpot => ({
  at: Date.parse(timestamp),
  box: boxOf(outer),
  recordedAt: createdAt === null ? null : Date.parse(createdAt),
});

/** Everything that the interface says of a detection; undefined when there is none at this time. */
export async function askRawDetection(
  { ask }: Asks,
  { dataSourceId, trackId }: TrackRef,
  at: number,
  signal: AbortSignal,
): Promise<object | undefined> {
  const variables = { camera: dataSourceId, track: trackId, at: new Date(at).toISOString() };
  const { detections } = await ask<{ detections: Edges<object> }>(RAW, variables, signal);
  return detections.edges[0]?.node;
}
