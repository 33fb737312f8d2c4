import type { AnyChanged } from "../../schemas/catalog/changed.ts";

/** The object with the patch applied. As for tracks, a value that is set outweighs that its field is cleared. */
export function patched<Whole extends object>(
  before: Whole,
  { set, cleared }: Pick<AnyChanged, "set" | "cleared">,
): Whole {
  const said = Object.entries(set).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(cleared.map((field) => [field, null])), ...Object.fromEntries(said) };
}
