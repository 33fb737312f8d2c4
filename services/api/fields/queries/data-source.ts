import type { ApiContext } from "../../graphql/context.ts";

export async function dataSource(_root: unknown, { id }: { readonly id: string }, context: ApiContext) {
  await context.catalogReached();
  return context.catalog.dataSource(id) ?? null;
}
