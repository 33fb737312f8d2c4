// How many stays each zone had in each minute of the last hour.
import { serverNow } from "./clock.ts";
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

export async function askOccupancy(requests: Requests, id: string, signal: AbortSignal): Promise<Occupancy> {
  const { startMs, endMs } = lastHour(serverNow());
  const [startTime, endTime] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  const { zoneIntersectionSummary: summary } = await requests.ask<{
    readonly zoneIntersectionSummary: { readonly buckets: readonly OccupancyBucket[] | null };
  }>(OCCUPANCY, { id, startTime, endTime }, signal);
  return occupancyOf(summary.buckets ?? [], startMs, endMs);
}
