import type { AnyChanged } from "../../schemas/catalog/changed.ts";

/** The object with the patch applied. */
export function patched<Whole extends object>(
  before: Whole,
  { set, cleared }: Pick<AnyChanged, "set" | "cleared">,
): Whole {
  const said = Object.entries(set).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(said), ...Object.fromEntries(cleared.map((field) => [field, null])) };
}
