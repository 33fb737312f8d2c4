// The entities of one kind, indexed by id and by the entities to which they refer.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import type { AnyDescription, AnyEntity } from "./define-entity.ts";
import { evolve } from "./evolve.ts";
import { createOwnEvents } from "./own-events.ts";
import { createReferences } from "./references.ts";
import { type CatalogRefusal, createUniqueFields } from "./unique-fields.ts";

/** The last state of an entity that was deleted. */
export interface Past<E = AnyEntity> {
  readonly entity: E;
  readonly deletedAt: number;
}

export interface Collection {
  readonly current: ReadonlyMap<string, AnyEntity>;
  /** The deleted entities, as far as the topic has been read. */
  readonly past: readonly Past[];
  /** The last state of the entity, even if it is deleted. */
  lastKnown(id: string): AnyEntity | undefined;
  /**
   * Ids of the entities whose field has the value `target`, sorted, so that the first one does not depend on the order
   * of writes.
   */
  referring(field: string, target: string): readonly string[];
  /**
   * Applies the next event of the topic.
   * @returns the refusal of an event that then changes nothing; undefined when readers accept it.
   */
  apply(event: AnyChanged, offset: number): CatalogRefusal | undefined;
  /** Advances past an event of the topic that is refused. */
  pass(id: string, offset: number): void;
  /** Applies an acknowledged event that the topic has not delivered yet. */
  applyOwn(event: AnyChanged, offset: number): void;
}

export function createCollection(description: AnyDescription): Collection {
  /** The entities as far as the topic has been read. */
  const folded = new Map<string, AnyEntity>();
  const unique = createUniqueFields(description);
  const past: Past[] = [];
  const pastById = new Map<string, AnyEntity>();
  /** The entities with this process's own events applied that the topic has not delivered yet. */
  const current = new Map<string, AnyEntity>();
  const references = createReferences(description);
  const ahead = createOwnEvents();

  function show(id: string, after: AnyEntity | undefined): void {
    references.replace(id, current.get(id), after);
    put(current, id, after);
  }

  function layAgain(id: string): void {
    let after = folded.get(id);
    for (const event of ahead.of(id)) after = evolve(after, event);
    show(id, after);
  }

  function pass(id: string, offset: number): void {
    ahead.catchUp(id, offset);
    layAgain(id);
  }

  return {
    current,
    past,
    lastKnown: (id) => current.get(id) ?? folded.get(id) ?? pastById.get(id),
    referring: references.of,
    apply(event, offset) {
      const { id } = event;
      const before = folded.get(id);
      const refused = unique.refusalOf(before, event);
      if (refused !== undefined) {
        pass(id, offset);
        return refused;
      }
      const after = evolve(before, event);
      if (before !== undefined && after === undefined) {
        past.push({ entity: before, deletedAt: event.at });
        pastById.set(id, before);
      }
      unique.replace(id, before, after);
      put(folded, id, after);
      // The oldest own event is applied already (`applyOwn`). After any other event, the own ones are applied again on
      // top of it.
      if (!ahead.catchUp(id, offset)) layAgain(id);
      return undefined;
    },
    pass,
    applyOwn(event, offset) {
      const { id } = event;
      if (ahead.add(event, offset)) show(id, evolve(current.get(id), event));
      else layAgain(id);
    },
  };
}

function put(entities: Map<string, AnyEntity>, id: string, entity: AnyEntity | undefined): void {
  if (entity === undefined) entities.delete(id);
  else entities.set(id, entity);
}
