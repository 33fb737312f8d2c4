// How many intersections began in each minute of the last hour, for several cameras.
import { serverNow } from "./clock.ts";
import { lastHour, type StartsBucket, startsOf } from "./minutes.ts";
import type { Requests } from "./requests.ts";

const STARTS = /* GraphQL */ `
  query Starts($ids: [ID!]!, $startTime: DateTimeOffset!, $endTime: DateTimeOffset!) {
    zoneIntersectionSummary(
      startTime: $startTime
      endTime: $endTime
      filter: { dataSourceId: { in: $ids } }
      bucketingStrategy: STARTED
      zoneIntersectionBucket: { size: MINUTES, fields: [DATA_SOURCE] }
    ) {
      buckets { total key { time dataSource { id } } }
    }
  }
`;

export async function askStarts(requests: Requests, ids: readonly string[], signal: AbortSignal) {
  const { startMs, endMs } = lastHour(serverNow());
  const [startTime, endTime] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  const { zoneIntersectionSummary: summary } = await requests.ask<{
    readonly zoneIntersectionSummary: { readonly buckets: readonly StartsBucket[] | null };
  }>(STARTS, { ids, startTime, endTime }, signal);
  return startsOf(ids, summary.buckets ?? [], startMs);
}
