// The entities of one kind by the entities to which they refer.
import { type AnyDescription, type AnyEntity, fieldsOf } from "./define-entity.ts";

export interface References {
  replace(id: string, before: AnyEntity | undefined, after: AnyEntity | undefined): void;
  /** Ids of the entities whose field has the value `target`, sorted. */
  of(field: string, target: string): readonly string[];
}

export function createReferences(description: AnyDescription): References {
  const fields = new Map(
    fieldsOf(description)
      .filter(([, { refersTo }]) => refersTo !== undefined)
      .map(([field]) => [field, new Map<string, Set<string>>()]),
  );

  function index(entity: AnyEntity | undefined, change: (ids: Set<string>) => unknown): void {
    if (entity === undefined) return;
    for (const [field, targets] of fields) {
      const target: unknown = Reflect.get(entity, field);
      if (typeof target !== "string") continue;
      const ids = targets.get(target) ?? new Set();
      change(ids);
      if (ids.size === 0) targets.delete(target);
      else targets.set(target, ids);
    }
  }

  return {
    replace(id, before, after) {
      index(before, (ids) => ids.delete(id));
      index(after, (ids) => ids.add(id));
    },
    of: (field, target) => [...(fields.get(field)?.get(target) ?? [])].sort(),
  };
}
