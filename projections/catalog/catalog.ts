// The catalog topic in memory. It is read from its beginning, with this process's own acknowledged writes laid over it, so
// that a client reads what it has just written.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import type { CatalogFields, CatalogKind } from "../../schemas/catalog/kinds.ts";
import type { CatalogEvent } from "../../schemas/events.ts";
import { type Collection, createCollection } from "./collection.ts";
import { type AnyDescription, type Entities, type EntityOf, fieldsOf } from "./define-entity.ts";
import { entities } from "./entities.ts";
import { refusalOf } from "./evolve.ts";

export interface Catalog extends Entities {
  /** In no particular order. */
  all<K extends CatalogKind>(kind: K): Iterable<EntityOf<K>>;
  /** Ids of all that refer to the entity. */
  referrers(kind: CatalogKind, id: string): readonly string[];
  /** The listener is called at once when a known entity of the kind has changed or is gone. */
  onChange(kind: CatalogKind, listener: () => void): void;
  /** The next event of the topic; one that was read before changes nothing. Returns why nobody takes it. */
  apply(message: CatalogEvent, offset: number): string | undefined;
  /** A write of this process that the log has acknowledged; the topic will bring it once more. */
  applyOwn(message: CatalogEvent, offset: number): void;
}

const descriptions: readonly AnyDescription[] = Object.values(entities);

/** The kind of the entities that the events of a type are about. */
const kinds = new Map(descriptions.map(({ kind }) => [`${kind[0]?.toUpperCase()}${kind.slice(1)}Changed`, kind]));

export function createCatalog(): Catalog {
  const collections = new Map(
    descriptions.map((description) => [description.kind, createCollection(description)] as const),
  );
  const listeners = new Map<CatalogKind, (() => void)[]>();
  /** Offset after the newest event that was read. */
  let next = 0;

  function collectionOf(kind: CatalogKind): Collection {
    const collection = collections.get(kind);
    if (collection === undefined) throw new Error(`the catalog has no ${kind}`);
    return collection;
  }

  /** What lies in a collection was made from the events of its kind. */
  function currentOf<K extends CatalogKind>(kind: K): ReadonlyMap<string, EntityOf<K>> {
    return collectionOf(kind).current as ReadonlyMap<string, EntityOf<K>>;
  }

  function referring<K extends CatalogKind>(kind: K, field: keyof CatalogFields[K] & string, id: string) {
    const current = currentOf(kind);
    return [...collectionOf(kind).referring(field, id)].flatMap((each) => current.get(each) ?? []);
  }

  function lay({ type, event }: CatalogEvent, put: (collection: Collection, event: AnyChanged) => void): void {
    const kind = kindOf(type);
    const isKnown = currentOf(kind).has(event.id);
    put(collectionOf(kind), event);
    if (isKnown) for (const listener of listeners.get(kind) ?? []) listener();
  }

  return {
    get: (kind, id) => currentOf(kind).get(id),
    all: (kind) => currentOf(kind).values(),
    referring,
    referrers: (kind, id) =>
      descriptions.flatMap((description) =>
        fieldsOf(description)
          .filter(([, { refersTo }]) => refersTo === kind)
          .flatMap(([field]) => [...collectionOf(description.kind).referring(field, id)]),
      ),
    onChange(kind, listener) {
      listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
    },
    apply(message, offset) {
      if (offset < next) return undefined;
      next = offset + 1;
      const reason = refusalOf(fieldsOf(entities[kindOf(message.type)]), message.event);
      if (reason === undefined) lay(message, (collection, event) => collection.apply(event, offset));
      return reason;
    },
    applyOwn(message, offset) {
      if (offset >= next) lay(message, (collection, event) => collection.applyOwn(event, offset));
    },
  };
}

export const isCatalogEvent = (message: { readonly type: string }): message is CatalogEvent => kinds.has(message.type);

export function kindOf(type: CatalogEvent["type"]): CatalogKind {
  const kind = kinds.get(type);
  if (kind === undefined) throw new Error(`no entity has the events ${type}`);
  return kind;
}
