// By what a summary can be bucketed.
import type { CatalogKind } from "../../schemas/catalog/kinds.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { tagOf } from "../catalog/tag.ts";
import type { ZonesView } from "../catalog/zones-view.ts";
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
export const tag: Dimension = { member: "tag", show: tagOf, sql: () => `nullIf(${TAG}, '')` };

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
