// By what a summary can be bucketed.
import type { CatalogKind } from "../../schemas/catalog/kinds.ts";
import type { PositionBucketPrecision } from "../../schemas/graphql/inputs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { tagOf } from "../catalog/tag.ts";
import type { ZonesView } from "../catalog/zones-view.ts";
import { anyText } from "../filters/kinds/json.ts";
import type { Params } from "../filters/sql/sql.ts";

/** What memory knows about the objects that the history refers to. */
export interface Known {
  readonly catalog: Catalog;
  readonly zones: Pick<ZonesView, "zonesEver">;
}

/** What a bucket's key shows of a dimension. */
export interface Shown {
  /** The member of the key. */
  readonly member: string;
  /** Turns the value into what the member shows; without it, the member is the value. */
  readonly show?: (value: string, catalog: Catalog) => unknown;
  /** The member is a list with an entry for each path. */
  readonly path?: readonly string[];
}

export interface Dimension extends Shown {
  /** An object has several values and counts in a bucket for each. */
  readonly isMany?: true;
  /** Text or NULL; a list of texts if there are many. */
  readonly sql: (params: Params, known: Known) => string;
}

/** The value is the id of an entity of this kind. */
export const entity =
  (kind: CatalogKind): NonNullable<Shown["show"]> =>
  (id, catalog) =>
    catalog.get(kind, id) ?? null;

/** The column of a tag: a tag is the same in any case. */
export const TAG = "lowerUTF8(tag)";

/** What has no header yet has no tag. */
export const tagIn = (sql: string): Dimension => ({ member: "tag", show: tagOf, sql: () => `nullIf(${sql}, '')` });

export const tag = tagIn(TAG);

/** The value that belongs to the column's, as the pairs say; NULL for all others. */
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

/** An expression whose value the member shows. */
export const column = (member: string, sql: string): Dimension => ({ member, sql: () => sql });

/** By the text at the path of the column `metadata`. */
export const metadata = (path: readonly string[]): Dimension => ({
  member: "metadata",
  path,
  sql: (params) => anyText(params, "metadata", path),
});

/** The resolutions of H3, and names for some of them. */
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

/** By the H3 cell of the columns `longitude` and `latitude`. The centre follows from the cell, so it tells none apart. */
export const position = (resolution: number): Dimension => ({
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
