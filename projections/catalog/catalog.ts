// The catalog topic in memory. A process reads it from its beginning. It also applies its own acknowledged writes at
// once, so that a client reads what it has just written.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import type { CatalogKind } from "../../schemas/catalog/kinds.ts";
import type { CatalogEvent } from "../../schemas/events.ts";
import { dropOldest } from "../drop-oldest.ts";
import { type Collection, createCollection, type Past } from "./collection.ts";
import { type AnyDescription, type Entities, type EntityOf, fieldsOf } from "./define-entity.ts";
import { entities } from "./entities.ts";
import { entityFlaw, requiredOf } from "./evolve.ts";
import { createSourceIndex, type SourceIndex } from "./source-index.ts";
import type { CatalogRefusal } from "./unique-fields.ts";

export interface Catalog extends Entities {
  /** All entities of the kind, in no particular order. */
  all<K extends CatalogKind>(kind: K): Iterable<EntityOf<K>>;
  /** The entities of the kind that were deleted. */
  past<K extends CatalogKind>(kind: K): readonly Past<EntityOf<K>>[];
  count(kind: CatalogKind): number;
  /** The last state of the entity, even if it is deleted: the history still refers to it. */
  lastKnown<K extends CatalogKind>(kind: K, id: string): EntityOf<K> | undefined;
  /** Ids of all entities that refer to this one. */
  referrers(kind: CatalogKind, id: string): readonly string[];
  /**
   * A number that changes whenever an entity of the kind may have changed. Values derived from the entities may be
   * cached while it stays the same.
   */
  version(kind: CatalogKind): number;
  /** Offset of the kind's newest event that was read or written here; -1 when there is none. */
  newest(kind: CatalogKind): number;
  /** The listener is called at once when a known entity of the kind has changed or is gone. */
  onChange(kind: CatalogKind, listener: () => void): void;
  readonly sources: SourceIndex;
  /**
   * Applies the next event of the topic. A repeated one changes nothing.
   * @returns the reason why readers refuse the event; undefined when they accept it.
   */
  apply(message: CatalogEvent, offset: number): string | undefined;
  /** @returns the refusal of the event at this offset, when the topic has delivered it recently. */
  refusal(offset: number): CatalogRefusal | undefined;
  /** Applies a write of this process that the log has acknowledged. The topic will deliver it once more. */
  applyOwn(message: CatalogEvent, offset: number): void;
}

/** Far more events than the topic delivers while a writer waits for the outcome of its event. */
const REMEMBERED_REFUSALS = 1_000;

const descriptions: readonly AnyDescription[] = Object.values(entities);

/** The kind of entity of each event type. */
const kinds = new Map(descriptions.map(({ kind }) => [`${kind[0]?.toUpperCase()}${kind.slice(1)}Changed`, kind]));

/** The part of the catalog with one kind of entity. */
interface KindState {
  readonly collection: Collection;
  readonly required: readonly string[];
  version: number;
  newest: number;
  readonly listeners: (() => void)[];
}

type StateOf = (kind: CatalogKind) => KindState;

export function createCatalog(): Catalog {
  const states = new Map(descriptions.map((description) => [description.kind, createState(description)] as const));
  const stateOf: StateOf = (kind) => {
    const state = states.get(kind);
    if (state === undefined) throw new Error(`the catalog has no ${kind}`);
    return state;
  };
  const known = createLookUps(stateOf);
  const sources = createSourceIndex(known);
  const refusals = new Map<number, CatalogRefusal>();
  /** Offset after the newest event that was read. */
  let next = 0;

  function lay<T>(
    { type, event }: CatalogEvent,
    offset: number,
    put: (collection: Collection, event: AnyChanged) => T,
  ): T {
    const kind = catalogKindOf(type);
    const state = stateOf(kind);
    const device = known.get("device", event.id);
    state.newest = Math.max(offset, state.newest);
    const isKnown = state.collection.current.has(event.id);
    const result = put(state.collection, event);
    if (kind === "dataSource") sources.refresh(event.id);
    if (kind === "device")
      for (const each of [device, known.get("device", event.id)]) if (each) sources.refresh(each.dataSourceId);
    state.version++;
    if (isKnown) for (const listener of state.listeners) listener();
    return result;
  }

  return {
    ...known,
    sources,
    apply(message, offset) {
      if (offset < next) return undefined;
      next = offset + 1;
      const flaw = entityFlaw(stateOf(catalogKindOf(message.type)).required, message.event);
      const refusal = lay(message, offset, (collection, event) => {
        if (flaw === undefined) return collection.apply(event, offset);
        collection.pass(event.id, offset);
        return { reason: flaw };
      });
      if (refusal === undefined) return undefined;
      refusals.set(offset, refusal);
      dropOldest(refusals, REMEMBERED_REFUSALS);
      return refusal.owner === undefined ? refusal.reason : `${refusal.reason}, ${refusal.owner}`;
    },
    refusal: (offset) => refusals.get(offset),
    applyOwn(message, offset) {
      if (offset >= next) lay(message, offset, (collection, event) => collection.applyOwn(event, offset));
    },
  };
}

const createState = (description: AnyDescription): KindState => ({
  collection: createCollection(description),
  required: requiredOf(description),
  version: 0,
  newest: -1,
  listeners: [],
});

/** The casts are safe: a collection is folded only from the events of its kind. */
function createLookUps(stateOf: StateOf): Omit<Catalog, "sources" | "apply" | "applyOwn" | "refusal"> {
  const currentOf = <K extends CatalogKind>(kind: K) =>
    stateOf(kind).collection.current as ReadonlyMap<string, EntityOf<K>>;

  return {
    get: (kind, id) => currentOf(kind).get(id),
    all: (kind) => currentOf(kind).values(),
    lastKnown: <K extends CatalogKind>(kind: K, id: string) =>
      stateOf(kind).collection.lastKnown(id) as EntityOf<K> | undefined,
    past: <K extends CatalogKind>(kind: K) => stateOf(kind).collection.past as readonly Past<EntityOf<K>>[],
    count: (kind) => currentOf(kind).size,
    referring(kind, field, id) {
      const current = currentOf(kind);
      return stateOf(kind)
        .collection.referring(field, id)
        .flatMap((each) => current.get(each) ?? []);
    },
    referrers: (kind, id) =>
      descriptions.flatMap((description) =>
        fieldsOf(description)
          .filter(([, { refersTo }]) => refersTo === kind)
          .flatMap(([field]) => stateOf(description.kind).collection.referring(field, id)),
      ),
    version: (kind) => stateOf(kind).version,
    newest: (kind) => stateOf(kind).newest,
    onChange: (kind, listener) => void stateOf(kind).listeners.push(listener),
  };
}

export const isCatalogEvent = (message: { readonly type: string }): message is CatalogEvent => kinds.has(message.type);

export function catalogKindOf(type: CatalogEvent["type"]): CatalogKind {
  const kind = kinds.get(type);
  if (kind === undefined) throw new Error(`no entity has the events ${type}`);
  return kind;
}
