// What an event makes of an entity: one function for every kind and every reader.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import type { Entity, FieldDescription } from "./define-entity.ts";
import { patched } from "./patch.ts";

/** A creation of what is there and an update of what is gone change nothing: the first one in the log counts. */
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

/** A field that a creation leaves out and that may not be missing is what `refusalOf` looks for. */
function created<Fields>({ id, at, set }: AnyChanged): Entity<Fields> {
  return { ...(set as Fields), id, createdAt: at, updatedAt: at };
}

/** Why no reader takes the event; undefined = it is fine. */
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
