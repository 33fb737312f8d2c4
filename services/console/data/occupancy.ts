// How many stays each zone had in each minute of the last hour.
import type { App } from "../parts/app.ts";

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

export interface OccupancyBucket {
  readonly total: number;
  readonly key: { readonly time: string; readonly zoneName: string };
}

/** A line of the chart; it has a value for each time. */
export interface OccupancyLine {
  readonly name: string;
  readonly values: readonly number[];
}

export interface Occupancy {
  /** Beginnings of the minutes, in milliseconds. */
  readonly times: readonly number[];
  /** The zones with the most stays first. */
  readonly lines: readonly OccupancyLine[];
}

const MINUTE_MS = 60_000;
const MINUTES = 60;
const MOST_LINES = 6;

export async function askOccupancy(app: App, id: string, signal: AbortSignal): Promise<Occupancy> {
  const endMs = Date.now();
  const startMs = Math.floor(endMs / MINUTE_MS - MINUTES + 1) * MINUTE_MS;
  const [startTime, endTime] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  const { zoneIntersectionSummary: summary } = await app.ask<{
    readonly zoneIntersectionSummary: { readonly buckets: readonly OccupancyBucket[] | null };
  }>(OCCUPANCY, { id, startTime, endTime }, signal);
  return occupancyOf(summary.buckets ?? [], startMs, endMs);
}

/** Minutes without a stay have no bucket, and are 0 here. */
export function occupancyOf(buckets: readonly OccupancyBucket[], startMs: number, endMs: number): Occupancy {
  const times: number[] = [];
  for (let ms = startMs; ms < endMs; ms += MINUTE_MS) times.push(ms);
  const byName = new Map<string, number[]>();
  for (const { total, key } of buckets) {
    const values = byName.get(key.zoneName) ?? times.map(() => 0);
    byName.set(key.zoneName, values);
    const minute = Math.floor((Date.parse(key.time) - startMs) / MINUTE_MS);
    if (minute >= 0 && minute < values.length) values[minute] = total;
  }
  const all = [...byName].map(([name, values]) => ({ name, values }));
  const lines = all.toSorted((a, b) => sumOf(b.values) - sumOf(a.values) || a.name.localeCompare(b.name));
  return { times, lines: lines.slice(0, MOST_LINES) };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
