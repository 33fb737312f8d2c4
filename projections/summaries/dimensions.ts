// By what a summary can be bucketed.
import type { CatalogKind } from "../../schemas/catalog/kinds.ts";

/** What a bucket's key shows of a dimension. */
export interface Shown {
  /** The member of the key. */
  readonly member: string;
  /** The value is the id of an entity of this kind; undefined = it is the member's value itself. */
  readonly of?: CatalogKind;
}
