import type { Catalog } from "../../../projections/catalog/catalog.ts";
import { type InputPath, notFound } from "../../../schemas/errors.ts";

/** Throws NOT_FOUND with the path when the catalog does not have the data source. */
export function requireDataSource({ catalog }: { readonly catalog: Catalog }, id: string, path: InputPath): void {
  if (catalog.get("dataSource", id) === undefined) throw notFound("data source", id, path);
}
