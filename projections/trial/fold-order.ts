// The order in which live state folds the detections of a track when it holds them for a time (REORDER_MS).

import type { TrialHeader } from "../history/queries/trial-headers.ts";
import { rowOffset, rowTime, type TrialTrack } from "../history/queries/trial-rows.ts";

/** A detection of a track, or its explicit end. */
interface Entry {
  /** The row of the track, or END. */
  readonly row: number;
  /** Event time, ms. */
  readonly time: number;
  readonly offset: number;
}

export const END = -1;

/** The number of entries that may be put into their order before the work pauses. */
const STEP = 2_000;

/**
 * Puts rows from the order of the log into the order in which they are folded, with END at the place of the track's
 * end. An end after all rows may come with a later piece, unless it was held and some of these rows were folded after
 * it.
 *
 * With `reorderMs`, an entry is folded when the clock is that far ahead of it. The clock follows this track alone,
 * while that of live state follows all tracks of the data source.
 */
export function* foldOrder(
  track: TrialTrack,
  rows: readonly number[],
  end: TrialHeader["end"],
  reorderMs: number,
): Generator<void, readonly number[]> {
  if (reorderMs === 0) return end === null ? rows : withEnd(track, rows, end.offset);
  const entries = rows.map((row) => ({ row, time: rowTime(track, row), offset: rowOffset(track, row) }));
  yield;
  if (end !== null) insertEnd(entries, end);
  return isAscending(entries) ? entries.map(({ row }) => row) : yield* released(entries, reorderMs);
}

function withEnd(track: TrialTrack, rows: readonly number[], endOffset: number): readonly number[] {
  const place = rows.findIndex((row) => rowOffset(track, row) > endOffset);
  return place < 0 ? rows : rows.toSpliced(place, 0, END);
}

function insertEnd(entries: Entry[], end: { readonly time: number; readonly offset: number }): void {
  const later = entries.findIndex(({ offset }) => offset > end.offset);
  if (later < 0 && !entries.some(({ time }) => time > end.time)) return;
  // Live state folds an end after the detections of its message.
  const time = entries.reduce(
    (latest, each) => (each.offset === end.offset ? Math.max(latest, each.time) : latest),
    end.time,
  );
  entries.splice(later < 0 ? entries.length : later, 0, { row: END, time, offset: end.offset });
}

function* released(entries: readonly Entry[], reorderMs: number): Generator<void, number[]> {
  const order: number[] = [];
  const held = createHeld(entries);
  let clock = Number.NEGATIVE_INFINITY;
  for (const [i, { row, time, offset }] of entries.entries()) {
    held.add(i);
    if (row !== END) clock = time;
    // Live state holds a message as a whole before it folds some of it.
    if (entries[i + 1]?.offset === offset) continue;
    const until = i + 1 < entries.length ? clock - reorderMs : Number.POSITIVE_INFINITY;
    for (let next = held.first(); next !== undefined && next.time <= until; next = held.first()) {
      order.push(next.row);
      held.removeFirst();
      if (order.length % STEP === 0) yield;
    }
    if (i % STEP === 0) yield;
  }
  return order;
}

const isAscending = (entries: readonly Entry[]): boolean =>
  entries.every(({ time }, i) => time >= (entries[i - 1]?.time ?? time));

/** A heap, because entries of a hostile sender may wait in any number and order. */
function createHeld(entries: readonly Entry[]) {
  /** Indexes of entries. */
  const heap: number[] = [];
  const timeOf = (i: number) => entries[i]?.time ?? 0;
  const isBefore = (a: number, b: number) => timeOf(a) < timeOf(b) || (timeOf(a) === timeOf(b) && a < b);

  function swap(a: number, b: number): void {
    [heap[a], heap[b]] = [heap[b] ?? 0, heap[a] ?? 0];
  }

  function least(place: number): number {
    let smallest = place;
    for (const child of [2 * place + 1, 2 * place + 2]) {
      if (child < heap.length && isBefore(heap[child] ?? 0, heap[smallest] ?? 0)) smallest = child;
    }
    return smallest;
  }

  return {
    first: (): Entry | undefined => entries[heap[0] ?? Number.NaN],

    add(i: number): void {
      let place = heap.push(i) - 1;
      for (let above = (place - 1) >> 1; place > 0 && isBefore(i, heap[above] ?? 0); above = (place - 1) >> 1) {
        swap(place, above);
        place = above;
      }
    },

    removeFirst(): void {
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return;
      heap[0] = last;
      for (let place = 0, next = least(0); next !== place; next = least(place)) {
        swap(place, next);
        place = next;
      }
    },
  };
}
