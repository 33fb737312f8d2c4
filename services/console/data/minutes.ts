// Counts by minute, from the buckets of summaries. Pure.
import { MINUTE_MS } from "../../../schemas/units.ts";

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

export interface StartsBucket {
  readonly total: number;
  readonly key: { readonly time: string; readonly dataSource: { readonly id: string } | null };
}

const MINUTES = 60;
const MOST_LINES = 6;

/** The last hour: 60 whole minutes, of which the last one has just begun or ends soon. */
export const lastHour = (nowMs: number): { readonly startMs: number; readonly endMs: number } => ({
  startMs: (Math.floor(nowMs / MINUTE_MS) - MINUTES + 1) * MINUTE_MS,
  endMs: nowMs,
});

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
