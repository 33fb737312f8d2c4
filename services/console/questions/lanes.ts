// Rows of an answer as bars over time: a lane for each value of a column.
import type { AnswerRow, Column } from "./question.ts";

/** Shares of the shown time, from 0 to 1. `level` is the line within the lane, so that no two bars overlap. */
export interface LaneBar {
  readonly row: AnswerRow;
  readonly left: number;
  readonly right: number;
  readonly level: number;
  /** Whether it goes on after what is shown, or has not ended. */
  readonly isOpen: boolean;
}

export interface AnswerLane {
  readonly name: string;
  readonly bars: readonly LaneBar[];
  readonly levels: number;
}

export interface ShownTime {
  readonly from: number;
  readonly to: number;
}

/** Lines of one lane; further bars lie on the last one. */
const MOST_LEVELS = 12;

/** @returns the time that all rows take together; undefined when there are none. */
export function timeOfRows(rows: readonly AnswerRow[], now: number): ShownTime | undefined {
  const spans = rows.flatMap(({ span }) => (span === undefined ? [] : [span]));
  if (spans.length === 0) return undefined;
  const from = spans.reduce((least, span) => Math.min(least, span.from), Number.POSITIVE_INFINITY);
  const to = spans.reduce((most, span) => Math.max(most, span.to ?? Math.max(now, span.from)), from);
  return { from, to: Math.max(to, from + 1_000) };
}

/** Lanes in the order of their names, in any case, as in filters. Rows outside the shown time are left out. */
export function answerLanes(rows: readonly AnswerRow[], column: number, shown: ShownTime): readonly AnswerLane[] {
  const named = new Map<string, { readonly name: string; readonly rows: AnswerRow[] }>();
  for (const row of rows) {
    if (row.span === undefined || row.span.from > shown.to || (row.span.to ?? shown.to) < shown.from) continue;
    const name = String(row.cells[column] ?? "none");
    const key = name.toLowerCase();
    const lane = named.get(key);
    if (lane === undefined) named.set(key, { name, rows: [row] });
    else lane.rows.push(row);
  }
  return [...named.values()]
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
    .map((lane) => laneOf(lane.name, lane.rows, shown));
}

function laneOf(name: string, rows: readonly AnswerRow[], { from, to }: ShownTime): AnswerLane {
  const share = (ms: number) => Math.min(1, Math.max(0, (ms - from) / (to - from)));
  const ends: number[] = [];
  const sorted = rows.toSorted((a, b) => (a.span?.from ?? 0) - (b.span?.from ?? 0));
  const bars = sorted.flatMap((row): LaneBar[] => {
    if (row.span === undefined) return [];
    const end = row.span.to ?? to;
    const level = levelFor(ends, row.span.from);
    ends[level] = Math.max(ends[level] ?? end, end);
    const isOpen = row.span.to === null || row.span.to > to;
    return [{ row, left: share(row.span.from), right: share(end), level, isOpen }];
  });
  return { name, bars, levels: ends.length };
}

/** The first line whose last bar has ended by then. */
function levelFor(ends: readonly number[], from: number): number {
  const free = ends.findIndex((end) => end < from);
  return free === -1 ? Math.min(ends.length, MOST_LEVELS - 1) : free;
}

export const laneColumns = (columns: readonly Column[]): readonly number[] =>
  columns.flatMap(({ isLane = false }, i) => (isLane ? [i] : []));

const STEPS_MS = [
  1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000,
  7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 2_592_000_000, 31_536_000_000,
] as const;

/**
 * Round times within what is shown, at most `most` of them.
 * @param offsetMs of the zone in which they are round, east of UTC.
 */
export function roundTimes({ from, to }: ShownTime, most: number, offsetMs: number): readonly number[] {
  const step = STEPS_MS.find((each) => (to - from) / each <= most) ?? to - from;
  const first = Math.ceil((from + offsetMs) / step) * step - offsetMs;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, i) => first + i * step);
}
