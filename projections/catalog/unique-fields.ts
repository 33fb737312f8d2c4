// The values of one kind of entity that must be unique, as far as the topic has been read.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import { type AnyDescription, type AnyEntity, fieldsOf } from "./define-entity.ts";

/** The reason why readers of the topic refuse an event. */
export interface CatalogRefusal {
  readonly reason: string;
  /** Id of the entity that has a value which must be unique. */
  readonly owner?: string;
}

export interface UniqueFields {
  replace(id: string, before: AnyEntity | undefined, after: AnyEntity | undefined): void;
  /**
   * Checks a first creation, or an update that sets such a field.
   * @returns undefined when no other entity has the values.
   */
  refusalOf(before: AnyEntity | undefined, event: AnyChanged): CatalogRefusal | undefined;
}

export function createUniqueFields(description: AnyDescription): UniqueFields {
  /** For each field, the ids of the entities by its value. */
  const owners = new Map(
    fieldsOf(description)
      .filter(([, { unique }]) => unique === true)
      .map(([field]) => [field, new Map<unknown, string>()]),
  );

  return {
    replace(id, before, after) {
      for (const [field, ids] of owners) {
        if (before !== undefined) ids.delete(Reflect.get(before, field));
        if (after !== undefined) ids.set(Reflect.get(after, field), id);
      }
    },
    refusalOf(before, { id, change, set }) {
      if ((change === "created") !== (before === undefined)) return undefined;
      for (const [field, ids] of owners) {
        const owner = ids.get(Reflect.get(set, field));
        if (owner !== undefined && owner !== id) return { reason: `set.${field}: that of another one`, owner };
      }
      return undefined;
    },
  };
}
