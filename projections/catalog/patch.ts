import type { AnyChanged } from "../../schemas/catalog/changed.ts";

/** The object with the patch applied. As for tracks, a value that is set outweighs that its field is cleared. */
export function patched<Whole extends object>(
  before: Whole,
  { set, cleared }: Pick<AnyChanged, "set" | "cleared">,
): Whole {
  // A catalog that starts reads every event that was ever written, so no list is made on the way.
  const after = { ...before };
  for (const field of cleared) Reflect.set(after, field, null);
  for (const field of Object.keys(set)) {
    const value: unknown = Reflect.get(set, field);
    if (value !== null) Reflect.set(after, field, value);
  }
  return after;
}
