import { byStart, type ChronicleRecord } from "./record.ts";

export interface Found extends ChronicleRecord {
  /** The object as JSON, as its server sent it. */
  readonly json: string;
}

export interface MatchCollector {
  /**
   * Adds a chronicle. The first of several with the same id counts. `toJson` is called only for chronicles that match.
   */
  add(record: ChronicleRecord, toJson: () => string): void;
  /** Number of different chronicles that were added, matching or not. */
  readonly seen: number;
  /** Approximate number of characters in memory: the ids that were seen, and the chronicles that are kept. */
  readonly length: number;
  /** The first `limit` chronicles that match, in the order of their starts, and whether there were more. */
  result(): { readonly retained: readonly Found[]; readonly truncated: boolean };
}

/** Memory that one value takes in addition to its characters, in characters. */
const OVERHEAD = 64;

const lengthOf = ({ id, labels, status, priority, producerId, siteIds, dataSourceIds, json }: Found): number => {
  const texts = [id, status ?? "", priority ?? "", producerId ?? "", json, ...labels, ...siteIds, ...dataSourceIds];
  return texts.reduce((sum, text) => sum + OVERHEAD + text.length, 0);
};

/**
 * The collection holds at most twice `limit` chronicles, however many are added, and the ids of all that were added.
 */
export function createMatchCollector(limit: number, matches: (record: ChronicleRecord) => boolean): MatchCollector {
  const ids = new Set<string>();
  let kept: Found[] = [];
  let length = 0;
  let truncated = false;

  function cut(): void {
    kept.sort(byStart);
    truncated ||= kept.length > limit;
    for (const each of kept.slice(limit)) length -= lengthOf(each);
    kept = kept.slice(0, limit);
  }

  return {
    add: (record, toJson) => {
      if (ids.has(record.id)) return;
      ids.add(record.id);
      length += OVERHEAD + record.id.length;
      if (!matches(record)) return;
      const found = { ...record, json: toJson() };
      kept.push(found);
      length += lengthOf(found);
      if (kept.length > 2 * limit) cut();
    },
    get seen() {
      return ids.size;
    },
    get length() {
      return length;
    },
    result: () => {
      cut();
      return { retained: kept, truncated };
    },
  };
}
