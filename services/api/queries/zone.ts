import type { ApiContext } from "../context.ts";

export const zone = (_root: unknown, { id }: { readonly id: string }, context: ApiContext) =>
  context.zones.zone(id) ?? null;
