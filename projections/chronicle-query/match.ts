import type { Window } from "./chunks.ts";
import type { ChronicleRecord } from "./record.ts";

/** An empty list lets everything through. Labels, statuses and priorities compare without case. */
export interface ChronicleFilters {
  readonly producerIds: readonly string[];
  readonly labels: readonly string[];
  readonly statuses: readonly string[];
  readonly priorities: readonly string[];
  readonly siteIds: readonly string[];
  readonly dataSourceIds: readonly string[];
}

export interface Wanted extends Window {
  readonly includeOpen: boolean;
  readonly filters: ChronicleFilters;
}

type Matches = (record: ChronicleRecord) => boolean;

/** One of the values is enough within a filter; every filter must let the record through. An open record runs to `now`. */
export function matcher({ filters, includeOpen, ...window }: Wanted, now: number): Matches {
  const tests: readonly Matches[] = [
    inWindow(window, now),
    (record) => includeOpen || record.end !== null,
    oneOf(filters.producerIds, ({ producerId }) => present(producerId)),
    oneOf(lower(filters.labels), ({ labels }) => lower(labels)),
    oneOf(lower(filters.statuses), ({ status }) => lower(present(status))),
    oneOf(lower(filters.priorities), ({ priority }) => lower(present(priority))),
    oneOf(filters.siteIds, ({ siteIds }) => siteIds),
    oneOf(filters.dataSourceIds, ({ dataSourceIds }) => dataSourceIds),
  ];
  return (record) => tests.every((test) => test(record));
}

/** Window and records are half-open; a record without length is an instant. */
function inWindow({ start, end, timeMatch }: Window, now: number): Matches {
  const startsIn: Matches = (record) => record.start >= start && record.start < end;
  if (timeMatch === "started_in") return startsIn;
  return (record) => startsIn(record) || (record.start < start && (record.end ?? now) > start);
}

function oneOf(wanted: readonly string[], valuesOf: (record: ChronicleRecord) => readonly string[]): Matches {
  if (wanted.length === 0) return () => true;
  const values = new Set(wanted);
  return (record) => valuesOf(record).some((value) => values.has(value));
}

const lower = (texts: readonly string[]): readonly string[] => texts.map((text) => text.toLowerCase());

const present = (text: string | null): readonly string[] => (text === null ? [] : [text]);
