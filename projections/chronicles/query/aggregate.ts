import { isoTime } from "../../../schemas/identity.ts";
import type { ChronicleGrouping, Rollup } from "../../../schemas/rest/chronicle-query.ts";
import type { ChronicleRecord } from "./record.ts";

/** The key of the chronicles without a value. */
export const NO_VALUE = "(none)";

const valuesOf: Readonly<Record<ChronicleGrouping, (record: ChronicleRecord) => readonly string[]>> = {
  label: ({ labels }) => labels,
  status: ({ status }) => (status === null ? [] : [status]),
  priority: ({ priority }) => (priority === null ? [] : [priority]),
  producer: ({ producerId }) => (producerId === null ? [] : [producerId]),
  site: ({ siteIds }) => siteIds,
};

/** `records` must be in the order of answers. */
export function rollupOf(records: readonly ChronicleRecord[]): Rollup {
  const first = records[0];
  const ends = records.flatMap(({ end }) => (end === null ? [] : [end]));
  const latest = ends.reduce<number | undefined>((most, end) => Math.max(most ?? end, end), undefined);
  return {
    total: records.length,
    by_status: countsOf(records, "status"),
    by_priority: countsOf(records, "priority"),
    by_label: countsOf(records, "label"),
    by_producer: countsOf(records, "producer"),
    ...(first !== undefined && { earliest_start: isoTime(first.start) }),
    ...(latest !== undefined && { latest_end: isoTime(latest) }),
  };
}

export interface Group<T> {
  readonly key: string;
  readonly chronicles: readonly T[];
}

/** A chronicle is in the group of each of its values. The largest group comes first. */
export function groupsOf<T extends ChronicleRecord>(
  records: readonly T[],
  grouping: ChronicleGrouping,
): readonly Group<T>[] {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const values = new Set(valuesOf[grouping](record));
    for (const key of values.size === 0 ? [NO_VALUE] : values) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [record]);
      else group.push(record);
    }
  }
  return [...groups]
    .map(([key, chronicles]) => ({ key, chronicles }))
    .sort((a, b) => b.chronicles.length - a.chronicles.length || (a.key < b.key ? -1 : 1));
}

function countsOf(records: readonly ChronicleRecord[], grouping: ChronicleGrouping): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const record of records) {
    for (const value of new Set(valuesOf[grouping](record))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
