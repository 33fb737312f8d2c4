import { byStart, type ChronicleRecord } from "./record.ts";

export interface Collection<T extends ChronicleRecord> {
  /** In any order; the first of several with the same id counts. */
  add(found: T): void;
  /** How many different chronicles were added, matching or not. */
  readonly seen: number;
  /** The first `limit` of those that match, in order, and whether there were more. */
  result(): { readonly retained: readonly T[]; readonly truncated: boolean };
}

/** Holds at most twice the limit, however many are added. */
export function createCollection<T extends ChronicleRecord>(
  limit: number,
  matches: (record: ChronicleRecord) => boolean,
): Collection<T> {
  const ids = new Set<string>();
  let kept: T[] = [];
  let truncated = false;

  function cut(): void {
    kept.sort(byStart);
    truncated ||= kept.length > limit;
    kept = kept.slice(0, limit);
  }

  return {
    add: (found) => {
      if (ids.has(found.id)) return;
      ids.add(found.id);
      if (!matches(found)) return;
      kept.push(found);
      if (kept.length >= 2 * limit) cut();
    },
    get seen() {
      return ids.size;
    },
    result: () => {
      cut();
      return { retained: kept, truncated };
    },
  };
}
