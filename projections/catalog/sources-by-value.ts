// The data sources by id, and the ids by the values of their fields.
import type { DataSourceFieldPredicate } from "../history/queries/records.ts";
import type { PlacedDataSource } from "./placed.ts";

type IndexedField = DataSourceFieldPredicate["field"];

/** Null stands for a missing value, and for a data source without labels. */
type IdsByValue = Map<string | null, Set<string>>;

export interface SourcesByValue {
  get(id: string): PlacedDataSource | undefined;
  all(): Iterable<PlacedDataSource>;
  ids(): Iterable<string>;
  put(source: PlacedDataSource): void;
  remove(id: string): void;
  values(field: IndexedField): Iterable<string | null>;
  /** @returns undefined when no data source has the value. */
  having(field: IndexedField, value: string | null): ReadonlySet<string> | undefined;
}

export function createSourcesByValue(): SourcesByValue {
  const sources = new Map<string, PlacedDataSource>();
  const index: { readonly [F in IndexedField]: IdsByValue } = {
    type: new Map(),
    labels: new Map(),
    deviceId: new Map(),
    siteId: new Map(),
    pointOfInterestId: new Map(),
  };

  function* entriesOf(source: PlacedDataSource): Generator<[IdsByValue, string | null]> {
    for (const field of ["type", "deviceId", "siteId", "pointOfInterestId"] as const)
      yield [index[field], source[field]];
    for (const label of source.labels?.length ? source.labels : [null]) yield [index.labels, label];
  }

  function remove(id: string): void {
    const source = sources.get(id);
    if (source === undefined) return;
    sources.delete(id);
    for (const [values, value] of entriesOf(source)) {
      const ids = values.get(value);
      ids?.delete(id);
      if (ids?.size === 0) values.delete(value);
    }
  }

  return {
    get: (id) => sources.get(id),
    all: () => sources.values(),
    ids: () => sources.keys(),
    remove,
    put(source) {
      remove(source.id);
      sources.set(source.id, source);
      for (const [values, value] of entriesOf(source))
        values.set(value, (values.get(value) ?? new Set()).add(source.id));
    },
    values: (field) => index[field].keys(),
    having: (field, value) => index[field].get(value),
  };
}
