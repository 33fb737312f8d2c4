// Summaries computed from lists of objects by the simplest means: every bucket looks at every object.
import type { Strategy, SummaryQuestion } from "../../../projections/summaries/shape.ts";

export interface Counted {
  readonly start: number;
  /** The end, null when the object has not ended. */
  readonly end: number | null;
  /** The object's values by the name of the dimension; the list is empty when it has none. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

export interface BruteTally {
  readonly total: number;
  readonly started: number;
  readonly ended: number;
  readonly duration: { readonly min: number; readonly average: number; readonly max: number } | null;
}

export interface BruteBucket {
  readonly time: number | null;
  readonly values: readonly (string | null)[];
  readonly tally: BruteTally;
}

export interface BruteQuestion extends Pick<SummaryQuestion<unknown>, "range" | "strategy"> {
  /** The grouping, undefined when the question wants no buckets. */
  readonly grouping?: { readonly sizeMs: number | undefined; readonly names: readonly string[] } | undefined;
}

export function bruteSummary(objects: readonly Counted[], { range, strategy, grouping }: BruteQuestion) {
  const overall = tallyOf(objects, range.from, range.to, strategy);
  if (grouping === undefined) return { overall, buckets: undefined };
  const { sizeMs, names } = grouping;
  const buckets: BruteBucket[] = [];
  for (const { time, from, to } of stretches(range, sizeMs)) {
    const present = objects.filter((object) => counts(object, from, to, strategy));
    for (const values of keysOf(present, names)) {
      const tally = tallyOf(
        present.filter((object) => names.every((name, i) => has(object, name, values[i] ?? null))),
        from,
        to,
        strategy,
      );
      if (tally.total > 0 || (sizeMs !== undefined && names.length === 0)) buckets.push({ time, values, tally });
    }
  }
  return { overall, buckets };
}

function counts({ start, end }: Counted, from: number, to: number, strategy: Strategy): boolean {
  if (strategy === "STARTED") return from <= start && start < to;
  if (strategy === "ENDED") return end !== null && from <= end && end < to;
  return start < to && (end === null || end >= from);
}

function tallyOf(objects: readonly Counted[], from: number, to: number, strategy: Strategy): BruteTally {
  const present = objects.filter((object) => counts(object, from, to, strategy));
  const lasted = present.flatMap(({ start, end }) => (end === null ? [] : [Math.max(0, end - start)]));
  const started = present.filter(({ start }) => from <= start && start < to).length;
  const ended = present.filter(({ end }) => end !== null && from <= end && end < to).length;
  return {
    total: present.length,
    started: strategy === "ENDED" ? 0 : started,
    ended: strategy === "STARTED" ? 0 : ended,
    duration:
      lasted.length === 0
        ? null
        : {
            min: Math.min(...lasted),
            average: Math.round(lasted.reduce((a, b) => a + b, 0) / lasted.length),
            max: Math.max(...lasted),
          },
  };
}

/** The parts of the range that the time buckets have. */
function stretches({ from, to }: { from: number; to: number }, sizeMs: number | undefined) {
  if (sizeMs === undefined) return [{ time: null, from, to }];
  const parts: { time: number; from: number; to: number }[] = [];
  for (let time = from - (((from % sizeMs) + sizeMs) % sizeMs); time < to; time += sizeMs) {
    parts.push({ time, from: Math.max(time, from), to: Math.min(time + sizeMs, to) });
  }
  return parts;
}

const valuesOf = ({ values }: Counted, name: string): readonly (string | null)[] => {
  const own = values[name] ?? [];
  return own.length === 0 ? [null] : own;
};

const has = (object: Counted, name: string, value: string | null) => valuesOf(object, name).includes(value);

/** All combinations of values that the objects have, sorted; a missing value is the last. */
function keysOf(objects: readonly Counted[], names: readonly string[]): (string | null)[][] {
  let keys: (string | null)[][] = [[]];
  for (const name of names) {
    const values = [...new Set(objects.flatMap((object) => valuesOf(object, name)))].sort(nullsLast);
    keys = keys.flatMap((key) => values.map((value) => [...key, value]));
  }
  return keys;
}

function nullsLast(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
