import { type Tag, tagOf } from "../../../../projections/catalog/tag.ts";
import { badInput } from "../../../../schemas/errors.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { ByHand } from "./by-hand.ts";

interface Args {
  readonly id?: string | null;
  readonly name?: string | null;
}

export const tagByHand: ByHand = { mutations: "none", queries: { tag: tagBy } };

async function tagBy(_root: unknown, { id, name }: Args, context: ApiContext): Promise<Tag | null> {
  const named = name == null ? undefined : tagOf(name).id;
  const asked = id ?? named;
  if (asked === undefined) throw badInput("the id or the name of a tag is needed");
  await context.catalogReached();
  if (named !== undefined && named !== asked) return null;
  return context.catalog.get("tag", asked) ?? null;
}
