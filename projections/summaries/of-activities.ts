// The parts that the summaries of activities have in common, under their present name and as events.
import type { FilterJSONFieldStringInput } from "../../schemas/filters.ts";
import { compile } from "../filters/compile.ts";
import type { Filtering, SqlField } from "../filters/fields.ts";
import { compileJsonFieldString } from "../filters/kinds/json.ts";
import { chronicleQueries } from "../history/chronicles/pages.ts";
import { chronicleHistory } from "../history/chronicles/tables.ts";
import { createParams } from "../history/queries/params.ts";
import { type Dimension, entity, mapped } from "./dimensions.ts";
import type { Summarizing, SummaryKind } from "./kind.ts";
import { periodsMetadataKeys, summarizePeriods } from "./periods.ts";
import { timeRangeOf } from "./shape.ts";

/** A producer that the catalog does not know counts as none. */
export const chronicleProducerDimension = (member: string): Dimension => ({
  member,
  show: entity("chronicleProducer"),
  sql: (params, { catalog }) =>
    mapped(
      params,
      "chronicle_producer_id",
      [...catalog.all("chronicleProducer")].map(({ id }) => [id, id] as const),
    ),
});

export const metadataField: SqlField<FilterJSONFieldStringInput> = {
  isKey: false,
  compile: (filter, { params }) => compileJsonFieldString(params, "metadata", filter),
};

interface Description<Filter, Inputs> {
  readonly name: string;
  readonly dimensions: Readonly<Record<string, Dimension>>;
  readonly fields: { readonly [Name in keyof Inputs]: SqlField<Inputs[Name]> };
  /** Converts a filter into one with the names of activities. */
  readonly toFilter: (filter: Filter) => Filtering<Inputs>;
}

export function summaryOfActivities<Filter, Inputs>({
  name,
  dimensions,
  fields,
  toFilter,
}: Description<Filter, Inputs>): SummaryKind<Filter> {
  const { view } = chronicleHistory.activityChronicle;
  const periods = { name, from: view, start: "start_time", end: "end_time" };

  function asking({ client, filter: given, question, catalog, zones }: Summarizing<Filter>) {
    const params = createParams();
    const filter = toFilter(given);
    const conditions = [compile(fields, filter, { params, dataSourceIds: () => [] })];
    const among = chronicleQueries.activityChronicle.among(params, { timeRange: timeRangeOf(question), and: [filter] });
    if (among !== undefined) conditions.push(among);
    return { client, params, known: { catalog, zones }, conditions };
  }

  return {
    dimensions,
    summarize: (summarizing) => summarizePeriods(periods, asking(summarizing), summarizing.question),
    metadataKeys: (summarizing, path) => periodsMetadataKeys(periods, asking(summarizing), summarizing.question, path),
  };
}
