// Folds an event into an entity: one function for every kind and every reader.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import { type AnyDescription, type Entity, fieldsOf } from "./define-entity.ts";
import { applyPatch } from "./patch.ts";

/**
 * Only the first creation in the log counts: a second one changes nothing. An update of a deleted entity changes
 * nothing either.
 */
export function evolve<Fields>(before: Entity<Fields> | undefined, event: AnyChanged): Entity<Fields> | undefined {
  const { id, change, at } = event;
  switch (change) {
    case "created":
      return before ?? created<Fields>(event);
    case "updated":
      return before && { ...applyPatch(before, event), updatedAt: Math.max(before.updatedAt, at), id };
    case "deleted":
      return undefined;
    default:
      return change satisfies never;
  }
}

/** The cast is safe: `refusalOf` has refused creations that lack a required field. */
function created<Fields>({ id, at, set }: AnyChanged): Entity<Fields> {
  return { ...(set as Fields), id, createdAt: at, updatedAt: at };
}

/** The fields that may not be missing. */
export const requiredOf = (description: AnyDescription): readonly string[] =>
  fieldsOf(description).flatMap(([name, { nullable }]) => (nullable ? [] : name));

/**
 * `required` are the fields that may not be missing.
 * @returns the reason why readers refuse the event; undefined when they accept it.
 */
export function entityFlaw(required: readonly string[], { id, change, set, cleared }: AnyChanged): string | undefined {
  if (id === "") return "id: empty";
  for (const name of required) {
    if (cleared.includes(name)) return `cleared: ${name} may not be missing`;
    if (change === "created" && Reflect.get(set, name) === null) return `set.${name}: missing`;
  }
  return undefined;
}
