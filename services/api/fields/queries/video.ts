import type { ApiContext } from "../../graphql/context.ts";

export const video = async (_root: unknown, { id }: { readonly id: string }, { loaders }: ApiContext) =>
  (await loaders.video(id)) ?? null;
