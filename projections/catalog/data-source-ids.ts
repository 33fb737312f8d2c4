// Finds the data sources that conditions of history queries select.
import { badInput } from "../../schemas/errors.ts";
import { testsOf } from "../filters/read-filter.ts";
import type { Walk } from "../filters/walk.ts";
import type { DataSourceIds, DataSourcePredicate } from "../history/queries/records.ts";
import type { Catalog } from "./catalog.ts";

/**
 * Returns a function that finds the data sources of one condition. It never pauses, so it is for few conditions only.
 */
export const createDataSourceIds =
  ({ sources }: Pick<Catalog, "sources">): DataSourceIds =>
  (predicate) => {
    const { pieces, idsOf } = sources.question(predicate);
    const ids: string[] = [];
    for (const piece of pieces) for (const id of idsOf(piece)) ids.push(id);
    return ids;
  };

/** Limit of the ids in a query with several lists of them: more would take the store and this process long. */
const MAX_IDS = 100_000;

/** Looking up one piece of a condition, and writing its ids into the query, takes as long as this number of tests. */
const QUESTION_TESTS = 100;

/**
 * Finds the data sources for all conditions of a filter, with pauses. Rejects with BAD_USER_INPUT when the filter's
 * parts select too many data sources.
 */
export async function answerSources(
  filter: object | null | undefined,
  catalog: Pick<Catalog, "sources">,
  walk: Walk,
): Promise<DataSourceIds> {
  const answers = new Map<string, readonly string[]>();
  let [asked, count] = [0, 0];

  async function answer(predicate: DataSourcePredicate): Promise<readonly string[]> {
    const ids: string[] = [];
    const { pieces, idsOf } = catalog.sources.question(predicate);
    await walk(pieces, testsOf(predicate.filter) + QUESTION_TESTS, (piece) => {
      for (const id of idsOf(piece)) ids.push(id);
    });
    return ids;
  }

  for (const predicate of questionsOf(filter ?? {})) {
    const key = JSON.stringify(predicate);
    const ids = answers.get(key) ?? (await answer(predicate));
    answers.set(key, ids);
    asked++;
    count += ids.length;
    if (asked > 1 && count > MAX_IDS) {
      throw badInput(`the conditions on data sources choose more than ${MAX_IDS} of them, counted for each`, [
        "filter",
      ]);
    }
  }
  const others = createDataSourceIds(catalog);
  return (predicate) => answers.get(JSON.stringify(predicate)) ?? others(predicate);
}

/** The members of filters that contain conditions on data sources. */
const askedAs: Readonly<Record<string, DataSourcePredicate["field"]>> = {
  siteId: "siteId",
  pointOfInterestId: "pointOfInterestId",
  deviceId: "deviceId",
  dataSourceType: "type",
  dataSourceLabels: "labels",
  dataSource: "dataSource",
  site: "site",
  pointOfInterest: "pointOfInterest",
};

function* questionsOf(filter: object): Generator<DataSourcePredicate> {
  for (const [name, member] of Object.entries(filter)) {
    if (typeof member !== "object" || member === null) continue;
    const field = askedAs[name];
    // The cast is safe: GraphQL has checked the members of the filter.
    if (field !== undefined)
      for (const part of partsOf(field, member)) yield { field, filter: part } as DataSourcePredicate;
    else if (name === "and" || name === "or") for (const each of member) yield* questionsOf(each);
    else if (name === "not") yield* questionsOf(member);
  }
}

/**
 * Splits a member as the compiler does: the compiler looks up `ne` of an id or a text as `eq`, and negates the result.
 */
function* partsOf(field: DataSourcePredicate["field"], member: object): Generator<object> {
  if (!FIELDS_WITH_NE.has(field)) yield member;
  else {
    const { ne, ...rest }: { readonly ne?: unknown } = member;
    if (Object.values(rest).some((each) => each != null)) yield rest;
    if (ne != null) yield { eq: ne };
  }
}

const FIELDS_WITH_NE: ReadonlySet<string> = new Set(["siteId", "pointOfInterestId", "deviceId", "type"]);
