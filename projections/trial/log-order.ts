// Puts the detections of a track into the order of the log. ClickHouse sends them in that order, except when some were
// late, or when they lie in several parts of its table.
import { detectionCount, isBefore, type TrialTrack } from "../history/queries/trial-rows.ts";

/** The number of detections that may be merged before the work pauses. */
const STEP = 10_000;

/** Returns the rows of the track in the order of the log. */
export function* inLogOrder(track: TrialTrack): Generator<void, number[]> {
  const rows: number[] = [];
  let isSorted = true;
  for (let row = 0; row < detectionCount(track); row++) {
    rows.push(row);
    isSorted &&= row === 0 || isBefore(track, row - 1, row);
  }
  return isSorted ? rows : yield* sorted(track, rows);
}

/** Merges neighbours of growing width. */
function* sorted(track: TrialTrack, unsorted: readonly number[]): Generator<void, number[]> {
  let [rows, merged] = [[...unsorted], [...unsorted]];
  let work = 0;
  for (let width = 1; width < rows.length; width *= 2) {
    for (let from = 0; from < rows.length; from += 2 * width) {
      merge({ track, rows, merged }, from, width);
      work += 2 * width;
      if (work < STEP) continue;
      work = 0;
      yield;
    }
    [rows, merged] = [merged, rows];
  }
  return rows;
}

interface Merging {
  readonly track: TrialTrack;
  readonly rows: readonly number[];
  readonly merged: number[];
}

/** Merges two neighbours that are sorted. Equal ranks keep their order. */
function merge({ track, rows, merged }: Merging, from: number, width: number): void {
  const middle = Math.min(from + width, rows.length);
  const end = Math.min(middle + width, rows.length);
  let [left, right] = [from, middle];
  for (let at = from; at < end; at++) {
    const isRightNext = left === middle || (right < end && isBefore(track, rows[right] ?? 0, rows[left] ?? 0));
    merged[at] = rows[isRightNext ? right++ : left++] ?? 0;
  }
}
