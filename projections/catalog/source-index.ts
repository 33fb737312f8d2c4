// The data sources with the fields from their devices, indexed by the values. A look-up costs as much as the values
// that it names or the data sources that it finds, without a walk through all of them.
import { dataSourceFields } from "../filters/data-sources.ts";
import type { Optional } from "../filters/fields.ts";
import { equalityTest } from "../filters/kinds/equality.ts";
import { stringTest } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { testOfDataSource } from "../filters/of-data-source.ts";
import type { DataSourceFieldPredicate, DataSourcePredicate } from "../history/queries/records.ts";
import type { Entities } from "./define-entity.ts";
import { type PlacedDataSource, placed } from "./placed.ts";
import { matchesPointOfInterest } from "./point-of-interest.ts";
import { matchesSite } from "./site.ts";
import { createSourcesByValue, type SourcesByValue } from "./sources-by-value.ts";

export interface SourceIndex {
  get(id: string): PlacedDataSource | undefined;
  all(): Iterable<PlacedDataSource>;
  question(predicate: DataSourcePredicate): SourceQuestion;
}

/**
 * A condition on data sources, cut into pieces: the values to look up. The answer is the union of the answers to all
 * pieces.
 */
export interface SourceQuestion {
  readonly pieces: Iterable<string | null>;
  idsOf(piece: string | null): Iterable<string>;
}

export interface WritableSourceIndex extends SourceIndex {
  put(source: PlacedDataSource): void;
  /** Reads the data source and its device again after one of them has changed or is gone. */
  refresh(id: string): void;
}

const NONE: readonly string[] = [];

export function createSourceIndex(entities: Entities): WritableSourceIndex {
  const sources = createSourcesByValue();
  return {
    get: sources.get,
    all: sources.all,
    put: sources.put,
    refresh(id) {
      const source = entities.get("dataSource", id);
      if (source === undefined) sources.remove(id);
      else sources.put(placed(source, entities));
    },
    question: (predicate) => questionOf(predicate, sources, entities),
  };
}

function questionOf(predicate: DataSourcePredicate, sources: SourcesByValue, entities: Entities): SourceQuestion {
  const { field, filter } = predicate;
  switch (field) {
    case "labels":
      return byLabels(predicate, sources);
    case "dataSource":
      return {
        pieces: namedBy(filter.id) ?? sources.ids(),
        idsOf: (id) => testedId(sources, id, (source) => matches(dataSourceFields, filter, source)),
      };
    case "site":
      return byEntity(sources, "siteId", (id) => {
        const site = entities.get("site", id);
        return site !== undefined && matchesSite(filter, site);
      });
    case "pointOfInterest":
      return byEntity(sources, "pointOfInterestId", (id) => {
        const point = entities.get("pointOfInterest", id);
        return point !== undefined && matchesPointOfInterest(filter, point);
      });
    default:
      return byField(predicate, sources);
  }
}

type OneValuePredicate = Exclude<DataSourceFieldPredicate, { readonly field: "labels" }>;

function byField(predicate: OneValuePredicate, sources: SourcesByValue): SourceQuestion {
  const { field, filter } = predicate;
  const passes = predicate.field === "type" ? stringTest(predicate.filter) : equalityTest(predicate.filter);
  const named = namedBy(filter);
  // A data source that the catalog does not know has its own id as its device id. It is found when the filter names
  // that id.
  const isUnknown = (id: string | null): id is string =>
    field === "deviceId" && named !== undefined && id !== null && sources.get(id) === undefined;
  return {
    pieces: named ?? sources.values(field),
    idsOf: (value) =>
      passes(value) ? [...(sources.having(field, value) ?? NONE), ...(isUnknown(value) ? [value] : NONE)] : NONE,
  };
}

/** Tests the entities to which data sources refer, because they are fewer than the data sources. */
const byEntity = (
  sources: SourcesByValue,
  field: "siteId" | "pointOfInterestId",
  isChosen: (id: string) => boolean,
): SourceQuestion => ({
  pieces: sources.values(field),
  idsOf: (id) => (id !== null && isChosen(id) ? (sources.having(field, id) ?? NONE) : NONE),
});

type LabelsPredicate = Extract<DataSourcePredicate, { readonly field: "labels" }>;

function byLabels(predicate: LabelsPredicate, sources: SourcesByValue): SourceQuestion {
  const test = testOfDataSource(predicate);
  const { eq, in: among } = predicate.filter;
  const required = eq == null ? (among ?? []) : eq.length === 0 ? [null] : eq;
  let pieces: Iterable<string> = sources.ids();
  let fewest = Number.POSITIVE_INFINITY;
  for (const label of required) {
    const ids = sources.having("labels", label);
    if ((ids?.size ?? 0) >= fewest) continue;
    fewest = ids?.size ?? 0;
    pieces = ids ?? NONE;
  }
  const isChosen = (source: PlacedDataSource) => test({ dataSourceId: source.id, dataSource: source });
  return { pieces, idsOf: (id) => testedId(sources, id, isChosen) };
}

function testedId(
  sources: SourcesByValue,
  id: string | null,
  isChosen: (source: PlacedDataSource) => boolean,
): readonly string[] {
  const source = id === null ? undefined : sources.get(id);
  return source !== undefined && isChosen(source) ? [source.id] : NONE;
}

/**
 * Returns the values that the filter names.
 * @returns undefined when any value may pass.
 */
function namedBy(filter: Optional<{ readonly eq?: Optional<string>; readonly in?: Optional<readonly string[]> }>) {
  if (filter?.eq != null) return [filter.eq];
  return filter?.in == null ? undefined : new Set(filter.in);
}
