// The data sources with what they have through their devices, and by their values: a question about them costs what it
// names or finds, not a walk through all of them.
import { dataSourceFields } from "../filters/data-sources.ts";
import type { Maybe } from "../filters/fields.ts";
import { equalityTest } from "../filters/kinds/equality.ts";
import { stringTest } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { testOfDataSource } from "../filters/of-data-source.ts";
import type { DataSourceFieldPredicate, DataSourcePredicate } from "../history/queries/records.ts";
import type { Entities } from "./define-entity.ts";
import { type PlacedDataSource, placed } from "./placed.ts";
import { matchesPointOfInterest } from "./point-of-interest.ts";
import { matchesSite } from "./site.ts";

export interface SourceIndex {
  get(id: string): PlacedDataSource | undefined;
  all(): Iterable<PlacedDataSource>;
  question(predicate: DataSourcePredicate): SourceQuestion;
}

/** A question, cut into pieces: its answer is what all of them give. */
export interface SourceQuestion {
  readonly pieces: Iterable<string | null>;
  idsOf(piece: string | null): Iterable<string>;
}

export interface WritableSourceIndex extends SourceIndex {
  put(source: PlacedDataSource): void;
  /** The data source, or its device, is another one now, or gone. */
  refresh(id: string): void;
}

type Indexed = DataSourceFieldPredicate["field"];

const NONE: readonly string[] = [];

export function createSourceIndex(entities: Entities): WritableSourceIndex {
  const sources = new Map<string, PlacedDataSource>();
  const index: { readonly [F in Indexed]: Map<string | null, Set<string>> } = {
    ...{ type: new Map(), labels: new Map(), deviceId: new Map(), siteId: new Map(), pointOfInterestId: new Map() },
  };

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

  function put(source: PlacedDataSource): void {
    remove(source.id);
    sources.set(source.id, source);
    for (const [values, value] of entriesOf(source)) values.set(value, (values.get(value) ?? new Set()).add(source.id));
  }

  function* entriesOf(source: PlacedDataSource): Generator<[Map<string | null, Set<string>>, string | null]> {
    for (const field of ["type", "deviceId", "siteId", "pointOfInterestId"] as const)
      yield [index[field], source[field]];
    for (const label of source.labels?.length ? source.labels : [null]) yield [index.labels, label];
  }

  const having = (field: Indexed, value: string | null): Iterable<string> => index[field].get(value) ?? NONE;

  /** By the entities that data sources refer to. */
  const byEntity = (field: "siteId" | "pointOfInterestId", isChosen: (id: string) => boolean): SourceQuestion => ({
    pieces: index[field].keys(),
    idsOf: (id) => (id !== null && isChosen(id) ? having(field, id) : NONE),
  });

  function byLabels(predicate: Extract<DataSourcePredicate, { readonly field: "labels" }>): SourceQuestion {
    const test = testOfDataSource(predicate);
    const { eq, in: among } = predicate.filter;
    const required = eq == null ? (among ?? []) : eq.length === 0 ? [null] : eq;
    let pieces: Iterable<string> = sources.keys();
    let fewest = Number.POSITIVE_INFINITY;
    for (const label of required) {
      const ids = index.labels.get(label);
      if ((ids?.size ?? 0) >= fewest) continue;
      fewest = ids?.size ?? 0;
      pieces = ids ?? NONE;
    }
    return { pieces, idsOf: (id) => testedId(id, (source) => test({ dataSourceId: source.id, dataSource: source })) };
  }

  function testedId(id: string | null, isChosen: (source: PlacedDataSource) => boolean): readonly string[] {
    const source = id === null ? undefined : sources.get(id);
    return source !== undefined && isChosen(source) ? [source.id] : NONE;
  }

  return {
    get: (id) => sources.get(id),
    all: () => sources.values(),
    put,
    refresh(id) {
      const source = entities.get("dataSource", id);
      if (source === undefined) remove(id);
      else put(placed(source, entities));
    },
    question(predicate) {
      const { field, filter } = predicate;
      switch (field) {
        case "labels":
          return byLabels(predicate);
        case "dataSource":
          return {
            pieces: namedBy(filter.id) ?? sources.keys(),
            idsOf: (id) => testedId(id, (source) => matches(dataSourceFields, filter, source)),
          };
        case "site":
          return byEntity("siteId", (id) => {
            const site = entities.get("site", id);
            return site !== undefined && matchesSite(filter, site);
          });
        case "pointOfInterest":
          return byEntity("pointOfInterestId", (id) => {
            const point = entities.get("pointOfInterest", id);
            return point !== undefined && matchesPointOfInterest(filter, point);
          });
        default: {
          const passes = predicate.field === "type" ? stringTest(predicate.filter) : equalityTest(predicate.filter);
          const named = namedBy(filter);
          // An unknown data source is its own device, and is found if it is named.
          const isUnknown = (id: string | null): id is string =>
            field === "deviceId" && named !== undefined && id !== null && !sources.has(id);
          return {
            pieces: named ?? index[field].keys(),
            idsOf: (value) =>
              passes(value) ? [...having(field, value), ...(isUnknown(value) ? [value] : NONE)] : NONE,
          };
        }
      }
    },
  };
}

/** undefined = any value may pass. */
function namedBy(filter: Maybe<{ readonly eq?: Maybe<string>; readonly in?: Maybe<readonly string[]> }>) {
  if (filter?.eq != null) return [filter.eq];
  return filter?.in == null ? undefined : new Set(filter.in);
}
