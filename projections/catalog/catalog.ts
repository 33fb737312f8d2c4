// The catalog topic in memory. A process reads it from its beginning and lays its own acknowledged writes over it, so
// that a client reads what it has just written.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import type { CatalogFields, CatalogKind } from "../../schemas/catalog/kinds.ts";
import type { CatalogEvent } from "../../schemas/events.ts";
import { type Collection, createCollection, type Past } from "./collection.ts";
import { type AnyDescription, type Entities, type EntityOf, fieldsOf } from "./define-entity.ts";
import { entities } from "./entities.ts";
import { refusalOf, requiredOf } from "./evolve.ts";
import { createSourceIndex, type SourceIndex } from "./source-index.ts";

export interface Catalog extends Entities {
  /** In no particular order. */
  all<K extends CatalogKind>(kind: K): Iterable<EntityOf<K>>;
  /** Those that were deleted. */
  past<K extends CatalogKind>(kind: K): readonly Past<EntityOf<K>>[];
  count(kind: CatalogKind): number;
  /** The entity as it last was, even if it is deleted: the history still refers to it. */
  lastKnown<K extends CatalogKind>(kind: K, id: string): EntityOf<K> | undefined;
  /** Ids of all entities that refer to this one. */
  referrers(kind: CatalogKind, id: string): readonly string[];
  /** Another number whenever an entity of the kind may have changed: what is derived from them can be kept as long. */
  version(kind: CatalogKind): number;
  /** Offset of the kind's newest event that was read or written here; -1 = there is none. */
  newest(kind: CatalogKind): number;
  /** The listener is called at once when a known entity of the kind has changed or is gone. */
  onChange(kind: CatalogKind, listener: () => void): void;
  readonly sources: SourceIndex;
  /** Takes the next event of the topic; a repeated one changes nothing. Returns why readers refuse the event. */
  apply(message: CatalogEvent, offset: number): string | undefined;
  /** Why readers refuse the event at this offset, if the topic has brought it lately. */
  refusal(offset: number): string | undefined;
  /** Takes a write of this process that the log has acknowledged; the topic will bring it once more. */
  applyOwn(message: CatalogEvent, offset: number): void;
}

/** Far more than the topic brings while a writer waits for the outcome of its event. */
const REMEMBERED_REFUSALS = 1_000;

const descriptions: readonly AnyDescription[] = Object.values(entities);

/** The kind of entity of each event type. */
const kinds = new Map(descriptions.map(({ kind }) => [`${kind[0]?.toUpperCase()}${kind.slice(1)}Changed`, kind]));

const required = new Map(descriptions.map((description) => [description.kind, requiredOf(description)]));

export function createCatalog(): Catalog {
  const collections = new Map(
    descriptions.map((description) => [description.kind, createCollection(description)] as const),
  );
  const versions = new Map<CatalogKind, number>();
  const offsets = new Map<CatalogKind, number>();
  const listeners = new Map<CatalogKind, (() => void)[]>();
  const sources = createSourceIndex({ get, referring });
  const refusals = new Map<number, string>();
  /** Offset after the newest event that was read. */
  let next = 0;

  function collectionOf(kind: CatalogKind): Collection {
    const collection = collections.get(kind);
    if (collection === undefined) throw new Error(`the catalog has no ${kind}`);
    return collection;
  }

  /** The cast is safe: a collection is folded only from the events of its kind. */
  function currentOf<K extends CatalogKind>(kind: K): ReadonlyMap<string, EntityOf<K>> {
    return collectionOf(kind).current as ReadonlyMap<string, EntityOf<K>>;
  }

  function get<K extends CatalogKind>(kind: K, id: string): EntityOf<K> | undefined {
    return currentOf(kind).get(id);
  }

  function referring<K extends CatalogKind>(kind: K, field: keyof CatalogFields[K] & string, id: string) {
    const current = currentOf(kind);
    return collectionOf(kind)
      .referring(field, id)
      .flatMap((each) => current.get(each) ?? []);
  }

  function lay<T>(
    { type, event }: CatalogEvent,
    offset: number,
    put: (collection: Collection, event: AnyChanged) => T,
  ): T {
    const kind = kindOf(type);
    const device = get("device", event.id);
    offsets.set(kind, Math.max(offset, offsets.get(kind) ?? -1));
    const isKnown = currentOf(kind).has(event.id);
    const result = put(collectionOf(kind), event);
    if (kind === "dataSource") sources.refresh(event.id);
    if (kind === "device")
      for (const each of [device, get("device", event.id)]) if (each) sources.refresh(each.dataSourceId);
    versions.set(kind, (versions.get(kind) ?? 0) + 1);
    if (isKnown) for (const listener of listeners.get(kind) ?? []) listener();
    return result;
  }

  function refuse(offset: number, reason: string): void {
    refusals.set(offset, reason);
    for (const oldest of refusals.keys()) {
      if (refusals.size <= REMEMBERED_REFUSALS) break;
      refusals.delete(oldest);
    }
  }

  return {
    get,
    sources,
    all: (kind) => currentOf(kind).values(),
    // Safe as in currentOf.
    lastKnown: <K extends CatalogKind>(kind: K, id: string) =>
      collectionOf(kind).lastKnown(id) as EntityOf<K> | undefined,
    past: <K extends CatalogKind>(kind: K) => collectionOf(kind).past as readonly Past<EntityOf<K>>[],
    count: (kind) => currentOf(kind).size,
    referring,
    referrers: (kind, id) =>
      descriptions.flatMap((description) =>
        fieldsOf(description)
          .filter(([, { refersTo }]) => refersTo === kind)
          .flatMap(([field]) => collectionOf(description.kind).referring(field, id)),
      ),
    version: (kind) => versions.get(kind) ?? 0,
    newest: (kind) => offsets.get(kind) ?? -1,
    onChange(kind, listener) {
      listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
    },
    apply(message, offset) {
      if (offset < next) return undefined;
      next = offset + 1;
      const flaw = refusalOf(required.get(kindOf(message.type)) ?? [], message.event);
      const reason = lay(message, offset, (collection, event) => {
        if (flaw === undefined) return collection.apply(event, offset);
        collection.pass(event.id, offset);
        return flaw;
      });
      if (reason !== undefined) refuse(offset, reason);
      return reason;
    },
    refusal: (offset) => refusals.get(offset),
    applyOwn(message, offset) {
      if (offset >= next) lay(message, offset, (collection, event) => collection.applyOwn(event, offset));
    },
  };
}

export const isCatalogEvent = (message: { readonly type: string }): message is CatalogEvent => kinds.has(message.type);

export function kindOf(type: CatalogEvent["type"]): CatalogKind {
  const kind = kinds.get(type);
  if (kind === undefined) throw new Error(`no entity has the events ${type}`);
  return kind;
}
