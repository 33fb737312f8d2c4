import type { TimeWindow } from "./chunks.ts";
import type { ChronicleRecord } from "./record.ts";

/**
 * Filters of chronicles. A filter with an empty list passes every record. Labels, statuses and priorities are compared
 * without case.
 */
export interface ChronicleFilters {
  readonly producerIds: readonly string[];
  readonly labels: readonly string[];
  readonly statuses: readonly string[];
  readonly priorities: readonly string[];
  readonly siteIds: readonly string[];
  readonly dataSourceIds: readonly string[];
}

export interface ChronicleCriteria extends TimeWindow {
  readonly includeOpen: boolean;
  readonly filters: ChronicleFilters;
}

type Matches = (record: ChronicleRecord) => boolean;

/**
 * A record passes a filter when one of its values is in the list, and it must pass every filter. An open record lasts
 * until `now`.
 */
export function matcher({ filters, includeOpen, ...window }: ChronicleCriteria, now: number): Matches {
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

/**
 * The window and the records include their start, but not their end. A record whose end is its start counts as an
 * instant.
 */
function inWindow({ start, end, timeMatch }: TimeWindow, now: number): Matches {
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
