// The dimensions by which a summary can be bucketed.
import type { CatalogKind } from "../../schemas/catalog/kinds.ts";
import type { PositionBucketPrecision } from "../../schemas/graphql/inputs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { tagOf } from "../catalog/tag.ts";
import type { ZonesView } from "../catalog/zones-view.ts";
import { anyText } from "../filters/kinds/json.ts";
import type { Params } from "../filters/sql/sql.ts";

/** The objects in memory to which the history refers. */
export interface SummaryContext {
  readonly catalog: Catalog;
  readonly zones: Pick<ZonesView, "zonesEver">;
}

/** The part of a bucket's key that shows a dimension. */
export interface Shown {
  /** The member of the key. */
  readonly member: string;
  /** Converts the value into that of the member; without it, the member is the value itself. */
  readonly show?: (value: string, catalog: Catalog) => unknown;
  /** Present when the member is a list with an entry for each path. */
  readonly path?: readonly string[];
}

export interface Dimension extends Shown {
  /** True when an object may have several values; it counts in the bucket of each. */
  readonly isMany?: true;
  /** An expression of a text or NULL; of a list of texts when `isMany`. */
  readonly sql: (params: Params, known: SummaryContext) => string;
}

/** The value is the id of an entity of this kind. */
export const entity =
  (kind: CatalogKind): NonNullable<Shown["show"]> =>
  (id, catalog) =>
    catalog.get(kind, id) ?? null;

/** The column of a tag. Tags are compared without case. */
export const TAG = "lowerUTF8(tag)";

/** A track without a header has no tag. */
export const tagIn = (sql: string): Dimension => ({ member: "tag", show: tagOf, sql: () => `nullIf(${sql}, '')` });

export const tagDimension = tagIn(TAG);

/** Maps the column's value as the pairs say. All other values become NULL. */
export function mapped(
  params: Params,
  sql: string,
  pairs: Iterable<readonly [from: string, to: string | null | undefined]>,
): string {
  const from: string[] = [];
  const to: string[] = [];
  for (const [key, value] of pairs) {
    if (value == null) continue;
    from.push(key);
    to.push(value);
  }
  if (from.length === 0) return "NULL";
  const lists = `${params.bindList("String", from)}, ${params.bindList("String", to)}`;
  return `nullIf(transform(toString(${sql}), ${lists}, ''), '')`;
}

/** A dimension whose member shows the value of the expression. */
export const column = (member: string, sql: string): Dimension => ({ member, sql: () => sql });

/** Groups by the text at the path of the column `metadata`. */
export const metadataDimension = (path: readonly string[]): Dimension => ({
  member: "metadata",
  path,
  sql: (params) => anyText(params, "metadata", path),
});

/** The resolutions of H3, some of which have names. */
const resolutions: Readonly<Record<Exclude<PositionBucketPrecision, `RESOLUTION_${number}`>, number>> = {
  CONTINENTAL: 0,
  REGIONAL: 5,
  DISTRICT: 7,
  NEIGHBORHOOD: 9,
  BUILDING: 12,
};

export const resolutionOf = (precision: PositionBucketPrecision): number =>
  precision in resolutions
    ? resolutions[precision as keyof typeof resolutions]
    : Number(precision.slice("RESOLUTION_".length));

/**
 * Groups by the H3 cell of the columns `longitude` and `latitude`. The centre derives from the cell, so it separates no
 * values.
 */
export const positionDimension = (resolution: number): Dimension => ({
  member: "position",
  show: toCell,
  sql: () => `if(longitude IS NULL OR latitude IS NULL, NULL, arrayMap(
    cell -> concat(h3ToString(cell), ' ', toString(h3ToGeo(cell).2), ' ', toString(h3ToGeo(cell).1)),
    [geoToH3(assumeNotNull(latitude), assumeNotNull(longitude), toUInt8(${resolution}))])[1])`,
});

function toCell(text: string) {
  const [index, ...centre] = text.split(" ");
  return { index, center: { type: "Point", coordinates: centre.map(Number), crs: null } };
}
