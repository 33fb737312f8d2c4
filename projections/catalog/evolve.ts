// Folds an event into an entity: one function for every kind and every reader.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import { type AnyDescription, type Entity, fieldsOf } from "./define-entity.ts";
import { patched } from "./patch.ts";

/** The first creation in the log counts: a second one changes nothing. Neither does an update of a deleted entity. */
export function evolve<Fields>(before: Entity<Fields> | undefined, event: AnyChanged): Entity<Fields> | undefined {
  const { id, change, at } = event;
  switch (change) {
    case "created":
      return before ?? created<Fields>(event);
    case "updated":
      return before && { ...patched(before, event), updatedAt: Math.max(before.updatedAt, at), id };
    case "deleted":
      return undefined;
    default:
      return change satisfies never;
  }
}

/** The cast is safe: `refusalOf` has refused a creation without a field that may not be missing. */
function created<Fields>({ id, at, set }: AnyChanged): Entity<Fields> {
  return { ...(set as Fields), id, createdAt: at, updatedAt: at };
}

/** The fields that may not be missing. */
export const requiredOf = (description: AnyDescription): readonly string[] =>
  fieldsOf(description).flatMap(([name, { nullable }]) => (nullable ? [] : name));

/** Why no reader takes the event; undefined = it is fine. `required`: the fields that may not be missing. */
export function refusalOf(required: readonly string[], { id, change, set, cleared }: AnyChanged): string | undefined {
  if (id === "") return "id: empty";
  for (const name of required) {
    if (cleared.includes(name)) return `cleared: ${name} may not be missing`;
    if (change === "created" && Reflect.get(set, name) === null) return `set.${name}: missing`;
  }
  return undefined;
}
