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
  /** Characters of JSON that are held. */
  readonly length: number;
  /** The first `limit` of those that match, in the order of their starts, and whether there were more. */
  result(): { readonly retained: readonly Found[]; readonly truncated: boolean };
}

/** Holds at most twice the limit, however many are added. */
export function createCollection(limit: number, matches: (record: ChronicleRecord) => boolean): Collection {
  const ids = new Set<string>();
  let kept: Found[] = [];
  let length = 0;
  let truncated = false;

  function cut(): void {
    kept.sort(byStart);
    truncated ||= kept.length > limit;
    for (const { json } of kept.slice(limit)) length -= json.length;
    kept = kept.slice(0, limit);
  }

  return {
    add: (record, toJson) => {
      if (ids.has(record.id)) return;
      ids.add(record.id);
      if (!matches(record)) return;
      const json = toJson();
      kept.push({ ...record, json });
      length += json.length;
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
