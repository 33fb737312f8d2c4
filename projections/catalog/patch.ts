import type { AnyChanged } from "../../schemas/catalog/changed.ts";

/** The object with the patch applied. When a patch both sets and clears a field, the value counts, as for tracks. */
export function applyPatch<Whole extends object>(
  before: Whole,
  { set, cleared }: Pick<AnyChanged, "set" | "cleared">,
): Whole {
  // A process that starts applies every event of the catalog ever written, so this function avoids lists of entries.
  const after = { ...before };
  for (const field of cleared) Reflect.set(after, field, null);
  for (const field of Object.keys(set)) {
    const value: unknown = Reflect.get(set, field);
    if (value !== null) Reflect.set(after, field, value);
  }
  return after;
}
