// How many intersections began in each minute of the last hour, for several cameras.
import type { App } from "../parts/app.ts";
import { lastHour, type StartsBucket, startsOf } from "./minutes.ts";

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

export async function askStarts(app: App, ids: readonly string[], signal: AbortSignal) {
  const { startMs, endMs } = lastHour(Date.now());
  const [startTime, endTime] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  const { zoneIntersectionSummary: summary } = await app.ask<{
    readonly zoneIntersectionSummary: { readonly buckets: readonly StartsBucket[] | null };
  }>(STARTS, { ids, startTime, endTime }, signal);
  return startsOf(ids, summary.buckets ?? [], startMs);
}
