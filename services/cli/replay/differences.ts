// The outcome of a comparison: counts, and the first differences.

export interface Difference {
  readonly kind: "missing" | "new" | "changed";
  /** Lines of signals. A missing signal was there then, a new one is there now. */
  readonly earlier: string | undefined;
  readonly now: string | undefined;
}

export interface DifferenceCounts {
  readonly same: number;
  readonly changed: number;
  readonly missing: number;
  readonly new: number;
}

export interface Differences {
  readonly counts: DifferenceCounts;
  /** In the order in which they were found. */
  readonly first: readonly Difference[];
  same(): void;
  /** The functions return lines, which are made for the first differences only. */
  missing(earlier: () => string): void;
  added(now: () => string): void;
  changed(earlier: () => string, now: () => string): void;
}

const SHOWN = 10;

export function createDifferences(): Differences {
  const counts = { same: 0, changed: 0, missing: 0, new: 0 };
  const first: Difference[] = [];

  function add(kind: Difference["kind"], earlier?: () => string, now?: () => string): void {
    counts[kind] += 1;
    if (first.length < SHOWN) first.push({ kind, earlier: earlier?.(), now: now?.() });
  }

  return {
    counts,
    first,
    same: () => {
      counts.same += 1;
    },
    missing: (earlier) => add("missing", earlier),
    added: (now) => add("new", undefined, now),
    changed: (earlier, now) => add("changed", earlier, now),
  };
}

export const isEqual = ({ counts }: Pick<Differences, "counts">): boolean =>
  counts.changed + counts.missing + counts.new === 0;
