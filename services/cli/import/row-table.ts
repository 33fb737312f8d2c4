// Rows as columns: files of millions of lines are sorted in memory, and an object per row would take four times as
// much.
import type { TrackerRow } from "./formats/format.ts";

const COLUMNS = 6;

export interface TrackerRowTable {
  readonly length: number;
  /** Returns a row by its index in the order of (frame, fileId). */
  row(index: number): TrackerRow;
}

export interface RowTableBuilder {
  add(row: TrackerRow): void;
  /** Sorts by (frame, fileId); among rows with the same two the first in the file is kept. */
  build(): TrackerRowTable & { readonly duplicates: number };
}

export function createRowTable(): RowTableBuilder {
  let values = new Float64Array(COLUMNS * 1_024);
  let tags = new Uint32Array(1_024);
  let count = 0;
  const tagNames: string[] = [];
  const tagIndex = new Map<string, number>();

  function numberOfTag(tag: string): number {
    const known = tagIndex.get(tag);
    if (known !== undefined) return known;
    tagIndex.set(tag, tagNames.length);
    return tagNames.push(tag) - 1;
  }

  const at = (position: number): number => values[position] ?? Number.NaN;
  const row = (line: number): TrackerRow => {
    const start = line * COLUMNS;
    const tag = tagNames[tags[line] ?? 0] ?? "";
    const [left, top, right, bottom] = [at(start + 2), at(start + 3), at(start + 4), at(start + 5)];
    return { frame: at(start), fileId: at(start + 1), left, top, right, bottom, tag };
  };
  // The sort is stable: rows of the same frame and id stay in file order.
  const byFrameAndId = (a: number, b: number): number =>
    at(a * COLUMNS) - at(b * COLUMNS) || at(a * COLUMNS + 1) - at(b * COLUMNS + 1);

  return {
    add({ frame, fileId, left, top, right, bottom, tag }) {
      if (count === tags.length) {
        values = grown(values, new Float64Array(values.length * 2));
        tags = grown(tags, new Uint32Array(tags.length * 2));
      }
      values.set([frame, fileId, left, top, right, bottom], count * COLUMNS);
      tags[count++] = numberOfTag(tag);
    },
    build() {
      const sorted = new Uint32Array(count).map((_, line) => line).sort(byFrameAndId);
      let length = 0;
      for (const line of sorted) {
        const previous = sorted[length - 1];
        if (length === 0 || previous === undefined || byFrameAndId(previous, line) !== 0) sorted[length++] = line;
      }
      const order = sorted.subarray(0, length);
      return { length, duplicates: count - length, row: (index) => row(order[index] ?? Number.NaN) };
    },
  };
}

function grown<A extends Float64Array | Uint32Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
