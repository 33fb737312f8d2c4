// Filters and dimensions on the objects to which a counted object refers: its data source, and the tag of its track.
// The history has their ids and names; the catalog in memory knows their other fields, as they are now.
import type {
  FilterDataSourceInput,
  FilterPointOfInterestInput,
  FilterSiteInput,
  FilterTagInput,
} from "../../schemas/graphql/inputs.ts";
import { NAMESPACE } from "../../schemas/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { PlacedDataSource } from "../catalog/placed.ts";
import { compile } from "../filters/compile.ts";
import type { SqlField } from "../filters/fields.ts";
import { compileString } from "../filters/kinds/string.ts";
import { inDataSources } from "../filters/of-data-source.ts";
import type { Params } from "../filters/sql/sql.ts";
import type { DataSourcePredicate } from "../history/queries/records.ts";
import { type Dimension, entity, mapped, TAG } from "./dimensions.ts";

const SOURCE = "data_source_id";

const tagName: SqlField<NonNullable<FilterTagInput["name"]>> = {
  isKey: false,
  compile: (filter, { params }) => compileString(params, { sql: "tag", anyCase: true }, filter),
};

/**
 * The id of a tag derives from its name, so the filter also works for tags that the catalog does not know, of tracks
 * that producers wrote to the log directly.
 */
export const tagIdIn = (sql: string): SqlField<NonNullable<FilterTagInput["id"]>> => ({
  isKey: false,
  compile: (filter, { params }) =>
    compileString(params, { sql: `if(${sql} = '', NULL, ${tagIdSql(sql)})`, nullable: true }, filter),
});

const tagId = tagIdIn(TAG);

/** Tests the name, which the history has, so the filter also works for a tag that is not in the catalog. */
const tag: SqlField<FilterTagInput> = {
  isKey: false,
  compile: (filter, asking) => `${TAG} != '' AND (${compile({ id: tagId, name: tagName }, filter, asking)})`,
};

/** The id that `derivedId` returns for a tag of this name, as an expression. */
const tagIdSql = (sql: string): string =>
  `arrayMap(sha1 -> concat(substring(sha1, 1, 8), '-', substring(sha1, 9, 4), '-5', substring(sha1, 14, 3), '-',
    substring('89ab89ab89ab89ab', position('0123456789abcdef', substring(sha1, 17, 1)), 1), substring(sha1, 18, 3), '-',
    substring(sha1, 21, 12)), [lower(hex(SHA1(concat(unhex('${NAMESPACE.toString("hex")}'), 'tag', char(0), ${sql}))))])[1]`;

/** The filters of a summary on related objects. Every filter fails when the related object is missing. */
export const related = {
  dataSource: ofSource<FilterDataSourceInput>((filter) => ({ field: "dataSource", filter })),
  site: ofSource<FilterSiteInput>((filter) => ({ field: "site", filter })),
  pointOfInterest: ofSource<FilterPointOfInterestInput>((filter) => ({ field: "pointOfInterest", filter })),
  tag,
};

function ofSource<Filter>(ask: (filter: Filter) => DataSourcePredicate): SqlField<Filter> {
  return {
    isKey: true,
    compile: (filter, { params, dataSourceIds }) => inDataSources(params, dataSourceIds(ask(filter))),
  };
}

/** A data source that the catalog does not know counts as none. */
export const dataSourceDimension = (member: string): Dimension => ({
  member,
  show: entity("dataSource"),
  sql: (params, { catalog }) => bySource(params, catalog, ({ id }) => id),
});

export const siteDimension = (member: string): Dimension => ({
  member,
  show: entity("site"),
  sql: (params, { catalog }) =>
    bySource(params, catalog, ({ siteId }) => (siteId === null ? null : catalog.get("site", siteId)?.id)),
});

export const pointOfInterestDimension = (member: string): Dimension => ({
  member,
  show: entity("pointOfInterest"),
  sql: (params, { catalog }) =>
    bySource(params, catalog, ({ pointOfInterestId: id }) =>
      id === null ? null : catalog.get("pointOfInterest", id)?.id,
    ),
});

const bySource = (params: Params, catalog: Catalog, value: (source: PlacedDataSource) => string | null | undefined) =>
  mapped(
    params,
    SOURCE,
    [...catalog.sources.all()].map((source) => [source.id, value(source)] as const),
  );
