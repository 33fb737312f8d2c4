import type { ApiContext } from "../../graphql/context.ts";
import type { AsOf } from "./zones.ts";

export async function zone(_root: unknown, { id, asOf }: { readonly id: string } & AsOf, context: ApiContext) {
  if (asOf != null) return (await context.zonesAt(asOf)).zone(id) ?? null;
  await context.zonesReached();
  return context.zones.zone(id) ?? null;
}
