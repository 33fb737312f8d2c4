// Questions about a range of the past: how many detections there were, and where.
import { bucketSizeOf, type Density } from "../past/density.ts";
import type { Range } from "../past/scale.ts";
import type { Point, Ring } from "../picture/view.ts";
import type { Asks } from "./asks.ts";
import { isoOf, type PastPage, type PastSeenNode, timeBetween } from "./past-nodes.ts";

const PLACES = /* GraphQL */ `
  query Places($id: ID!, $time: FilterDateTimeOffsetInput!, $after: String) {
    detections(filter: { dataSourceId: { eq: $id }, time: $time }, first: 1000, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node { polygon { coordinates } position { coordinates } } }
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

export interface PlacesPage {
  readonly places: readonly { readonly ring: Ring; readonly position: Point | null }[];
  /** Undefined after the last page. */
  readonly next: string | undefined;
}

/** The places of the detections of a range. @param after the `next` of the page before. */
export async function askPlaces(
  { ask }: Asks,
  { id, range, after, signal }: { id: string; range: Range; after: string | undefined; signal: AbortSignal },
): Promise<PlacesPage> {
  type Place = Pick<PastSeenNode, "polygon" | "position">;
  const variables = { id, time: timeBetween(range), after: after ?? null };
  const answer = await ask<{ detections: PastPage<Place> }>(PLACES, variables, signal);
  const { edges, pageInfo } = answer.detections;
  return {
    places: edges.map(({ node: { polygon, position } }) => ({
      ring: polygon?.coordinates[0] ?? [],
      position: position?.coordinates ?? null,
    })),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
  };
}
