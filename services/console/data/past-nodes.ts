// Parts of answers that the questions about the past have in common.
import type { Range } from "../past/scale.ts";
import type { Point, Ring } from "../picture/view.ts";
import type { PastDetection } from "./reel.ts";
import type { SeenStay } from "./scene-fold.ts";

export const PAST_SEEN = /* GraphQL */ `
  fragment PastSeen on Detection {
    timestamp
    createdAt
    polygon { coordinates }
    position { coordinates }
  }
`;

export interface PastSeenNode {
  readonly timestamp: string;
  readonly createdAt: string | null;
  readonly polygon: { readonly coordinates: readonly Ring[] } | null;
  readonly position: { readonly coordinates: Point } | null;
}

export interface PastStayNode {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly zone: { readonly id: string };
}

interface PastPageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

export interface PastEdges<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

/** A page of a longer list. */
export interface PastPage<Node> extends PastEdges<Node> {
  readonly pageInfo: PastPageInfo;
}

/** The years that the interface takes. */
export const FIRST_MS = Date.UTC(1900, 0, 1);
export const LAST_MS = Date.UTC(2299, 11, 31);

export const isoOf = (ms: number): string => new Date(ms).toISOString();
export const timeBetween = ({ from, to }: Range) => ({ between: [isoOf(from), isoOf(to)] });

export const pastDetectionOf = (
  { timestamp, createdAt, polygon, position }: PastSeenNode,
  { id, tag }: { readonly id: string; readonly tag: string },
): PastDetection => ({
  trackId: id,
  tag,
  at: Date.parse(timestamp),
  ring: polygon?.coordinates[0] ?? [],
  position: position?.coordinates ?? null,
  recordedAt: createdAt === null ? null : Date.parse(createdAt),
});

export const pastStayOf = ({ id, startTime, endTime, zone }: PastStayNode, trackId: string): SeenStay => ({
  id,
  trackId,
  zoneId: zone.id,
  since: Date.parse(startTime),
  endedAt: endTime === null ? null : Date.parse(endTime),
});
