// Finds the data sources that a filter can match at all. By them the feed finds the subscriptions for an event without
// testing all subscriptions.
import type { FilterIDInput } from "../../schemas/filters.ts";

export interface FilterBySource {
  readonly dataSourceId?: FilterIDInput | null | undefined;
  readonly and?: readonly FilterBySource[] | null | undefined;
  readonly or?: readonly FilterBySource[] | null | undefined;
}

/** Returns a superset of the data sources that match: the caller must still test the filter. */
export function pinnedSources(filter: FilterBySource | null | undefined): ReadonlySet<string> | undefined {
  if (filter == null) return undefined;
  // Any part of a conjunction bounds the whole, and the smallest bound serves best.
  let pinned = ids(filter.dataSourceId);
  for (const part of filter.and ?? []) pinned = smaller(pinned, pinnedSources(part));
  if (filter.or != null) pinned = smaller(pinned, union(filter.or.map(pinnedSources)));
  return pinned;
}

function ids(filter: FilterIDInput | null | undefined): ReadonlySet<string> | undefined {
  if (filter?.eq != null) return new Set([filter.eq]);
  return filter?.in == null ? undefined : new Set(filter.in);
}

type Pinned = ReadonlySet<string> | undefined;

function smaller(a: Pinned, b: Pinned): Pinned {
  if (a === undefined || b === undefined) return a ?? b;
  return a.size <= b.size ? a : b;
}

function union(parts: readonly Pinned[]): Pinned {
  const all = new Set<string>();
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const id of part) all.add(id);
  }
  return all;
}
