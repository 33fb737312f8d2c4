// Questions about moments of the past of a camera.
import type { Range } from "../past/scale.ts";
import { allNodes } from "./all-nodes.ts";
import type { Asks } from "./asks.ts";
import {
  FIRST_MS,
  isoOf,
  LAST_MS,
  PAST_SEEN,
  type PastEdges,
  type PastPage,
  type PastSeenNode,
  type PastStayNode,
  pastDetectionOf,
  pastStayOf,
  timeBetween,
} from "./past-nodes.ts";
import type { PastDetection, Still } from "./reel.ts";
import { type SeenStay, SILENCE_MS } from "./scene-fold.ts";

/** At most so many tracks are in a picture of the past. */
export const MOST_TRACKS = 3_000;
const PAGE = 1_000;

const STILL = /* GraphQL */ `
  ${PAST_SEEN}
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
  ${PAST_SEEN}
  query PastDetections($id: ID!, $time: FilterDateTimeOffsetInput!, $after: String, $stays: Boolean!) {
    detections(filter: { dataSourceId: { eq: $id }, time: $time }, first: 1000, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node { ...PastSeen track { id tag } } }
    }
    zoneIntersections(filter: { dataSourceId: { eq: $id }, time: $time }, first: 1000) @include(if: $stays) {
      pageInfo { hasNextPage endCursor }
      edges { node { id startTime endTime zone { id } track { id } } }
    }
  }
`;

/** The stays of a range after those that came with its first detections. */
const MORE_STAYS = /* GraphQL */ `
  query MoreStays($id: ID!, $time: FilterDateTimeOffsetInput!, $after: String) {
    zoneIntersections(filter: { dataSourceId: { eq: $id }, time: $time }, first: 1000, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node { id startTime endTime zone { id } track { id } } }
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

interface TrackNode {
  readonly id: string;
  readonly tag: string;
  readonly detections: readonly PastSeenNode[];
  readonly zoneIntersections: readonly PastStayNode[] | null;
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
    const answer: { tracks: PastPage<TrackNode> } = await ask(STILL, variables, signal);
    for (const { node } of answer.tracks.edges) {
      detections.push(...node.detections.map((seen) => pastDetectionOf(seen, node)));
      stays.push(...(node.zoneIntersections ?? []).map((stay) => pastStayOf(stay, node.id)));
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
  type Seen = PastSeenNode & { readonly track: { readonly id: string; readonly tag: string } };
  type Stay = PastStayNode & { readonly track: { readonly id: string } };
  const variables = { id, time: timeBetween(range), after: after ?? null, stays: after === undefined };
  const { detections, zoneIntersections } = await ask<{
    detections: PastPage<Seen>;
    zoneIntersections?: PastPage<Stay>;
  }>(DETECTIONS, variables, signal);
  const { hasNextPage, endCursor } = detections.pageInfo;
  const stays = (zoneIntersections?.edges ?? []).map(({ node }) => node);
  if (zoneIntersections?.pageInfo.hasNextPage === true) {
    const rest = { signal, after: zoneIntersections.pageInfo.endCursor };
    stays.push(...(await allNodes<Stay>(ask, MORE_STAYS, { id, time: variables.time }, rest)));
  }
  return {
    detections: detections.edges.map(({ node }) => pastDetectionOf(node, node.track)),
    stays: stays.map((stay) => pastStayOf(stay, stay.track.id)),
    next: hasNextPage ? (endCursor ?? undefined) : undefined,
  };
}

/** @returns the time of the next detection after or before the moment; undefined when there is none. */
export async function askFrame(
  { ask }: Asks,
  { id, at, isLater, signal }: { id: string; at: number; isLater: boolean; signal: AbortSignal },
): Promise<number | undefined> {
  const range = isLater ? { from: at + 1, to: LAST_MS } : { from: FIRST_MS, to: at - 1 };
  const variables = { id, time: timeBetween(range), direction: isLater ? "ASC" : "DESC" };
  const answer = await ask<{ detections: PastEdges<{ readonly timestamp: string }> }>(FRAME, variables, signal);
  const [first] = answer.detections.edges;
  return first && Date.parse(first.node.timestamp);
}
