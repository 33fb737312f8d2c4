import { imagesByIds, imagesCount, imagesPage } from "../../../../projections/history/queries/images.ts";
import type { FilterImageInput, ImagesSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";

export async function image(_root: unknown, { id }: { readonly id: string }, context: ApiContext) {
  await context.historyReached("images");
  const [found] = await imagesByIds(context.history.client, [id]);
  return found ?? null;
}

/** A filter left out is one that everything passes. */
export const images = (
  _root: unknown,
  { filter, ...args }: PageArgs<FilterImageInput | null | undefined, ImagesSort>,
  context: ApiContext,
) =>
  historyQuery({ ...args, filter: filter ?? {} }, context, {
    reached: () => context.historyReached("images"),
    page: imagesPage,
    count: imagesCount,
  });
