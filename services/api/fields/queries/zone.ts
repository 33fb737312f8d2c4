import type { ApiContext } from "../../graphql/context.ts";

export async function zone(_root: unknown, { id }: { readonly id: string }, context: ApiContext) {
  await context.zonesReached();
  return context.zones.zone(id) ?? null;
}
