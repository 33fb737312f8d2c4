import { byStart, type ChronicleRecord } from "./record.ts";

export interface Found extends ChronicleRecord {
  /** The raw object as JSON. */
  readonly json: string;
}

export interface Collection {
  /** The first of several with the same id counts. `toJson` is called for those that match. */
  add(record: ChronicleRecord, toJson: () => string): void;
  /** How many different chronicles were added, matching or not. */
  readonly seen: number;
  /** About the characters that are held: the ids that were seen, and the chronicles that are kept. */
  readonly length: number;
  /** The first `limit` of those that match, in the order of their starts, and whether there were more. */
  result(): { readonly retained: readonly Found[]; readonly truncated: boolean };
}

/** What one value takes beside its characters. */
const OVERHEAD = 64;

const lengthOf = ({ id, labels, status, priority, producerId, siteIds, dataSourceIds, json }: Found): number => {
  const texts = [id, status ?? "", priority ?? "", producerId ?? "", json, ...labels, ...siteIds, ...dataSourceIds];
  return texts.reduce((sum, text) => sum + OVERHEAD + text.length, 0);
};

/** Holds at most twice the limit, however many are added, but for their ids. */
export function createCollection(limit: number, matches: (record: ChronicleRecord) => boolean): Collection {
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
