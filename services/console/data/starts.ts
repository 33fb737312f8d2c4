// How many intersections began in each minute of the last hour, for several cameras.
import type { App } from "../parts/app.ts";

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

export interface StartsBucket {
  readonly total: number;
  readonly key: { readonly time: string; readonly dataSource: { readonly id: string } | null };
}

const MINUTE_MS = 60_000;
const MINUTES = 60;

export async function askStarts(app: App, ids: readonly string[], signal: AbortSignal) {
  const endMs = Date.now();
  const startMs = Math.floor(endMs / MINUTE_MS - MINUTES + 1) * MINUTE_MS;
  const [startTime, endTime] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  const { zoneIntersectionSummary: summary } = await app.ask<{
    readonly zoneIntersectionSummary: { readonly buckets: readonly StartsBucket[] | null };
  }>(STARTS, { ids, startTime, endTime }, signal);
  return startsOf(ids, summary.buckets ?? [], startMs);
}

/** The oldest minute first. Minutes in which none began have no bucket, and are 0 here. */
export function startsOf(
  ids: readonly string[],
  buckets: readonly StartsBucket[],
  startMs: number,
): ReadonlyMap<string, readonly number[]> {
  const starts = new Map(ids.map((id) => [id, new Array<number>(MINUTES).fill(0)]));
  for (const { total, key } of buckets) {
    const minutes = key.dataSource === null ? undefined : starts.get(key.dataSource.id);
    const minute = Math.floor((Date.parse(key.time) - startMs) / MINUTE_MS);
    if (minutes !== undefined && minute >= 0 && minute < MINUTES) minutes[minute] = total;
  }
  return starts;
}
