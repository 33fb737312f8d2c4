// How many stays each zone had in each minute of an hour.
import { lastHour, type Occupancy, type OccupancyBucket, occupancyOf } from "./minutes.ts";
import type { Requests } from "./requests.ts";

const OCCUPANCY = /* GraphQL */ `
  query Occupancy($id: ID!, $startTime: DateTimeOffset!, $endTime: DateTimeOffset!) {
    zoneIntersectionSummary(
      startTime: $startTime
      endTime: $endTime
      filter: { dataSourceId: { eq: $id } }
      bucketingStrategy: ACTIVE
      zoneIntersectionBucket: { size: MINUTES, fields: [ZONE_NAME] }
    ) {
      buckets { total key { time zoneName } }
    }
  }
`;

/** @param until the moment at which the hour ends. */
export async function askOccupancy(
  requests: Requests,
  { id, until, signal }: { readonly id: string; readonly until: number; readonly signal: AbortSignal },
): Promise<Occupancy> {
  const { startMs, endMs } = lastHour(until);
  const [startTime, endTime] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  const { zoneIntersectionSummary: summary } = await requests.ask<{
    readonly zoneIntersectionSummary: { readonly buckets: readonly OccupancyBucket[] | null };
  }>(OCCUPANCY, { id, startTime, endTime }, signal);
  return occupancyOf(summary.buckets ?? [], startMs, endMs);
}
