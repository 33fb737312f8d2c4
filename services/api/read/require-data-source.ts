import { type InputPath, notFound } from "../../../schemas/errors.ts";
import type { ApiContext } from "../graphql/context.ts";

/** Throws NOT_FOUND with the path when the catalog does not have the data source. */
export function requireDataSource({ catalog }: Pick<ApiContext, "catalog">, id: string, path: InputPath): void {
  if (catalog.get("dataSource", id) === undefined) throw notFound("data source", id, path);
}
