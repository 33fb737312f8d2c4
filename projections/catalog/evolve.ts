// Folds an event into an entity: one function for every kind and every reader.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import type { Entity, FieldDescription } from "./define-entity.ts";
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

/** Why every reader refuses the event; undefined = none does. */
export function refusalOf(
  fields: readonly (readonly [string, FieldDescription])[],
  { id, change, set, cleared }: AnyChanged,
): string | undefined {
  if (id === "") return "id: empty";
  const values = new Map<string, unknown>(Object.entries(set));
  const names = new Set<string>(cleared);
  for (const [name, { nullable }] of fields) {
    if (nullable) continue;
    if (names.has(name)) return `cleared: ${name} may not be missing`;
    if (change === "created" && values.get(name) === null) return `set.${name}: missing`;
  }
  return undefined;
}
