// The entities of one kind, by id and by what they refer to.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import { type AnyDescription, type Entity, fieldsOf } from "./define-entity.ts";
import { evolve } from "./evolve.ts";

export type AnyEntity = Entity<object>;

interface Pending {
  readonly offset: number;
  readonly event: AnyChanged;
}

/** An entity that was deleted, as it last was. */
export interface Past<E = AnyEntity> {
  readonly entity: E;
  readonly deletedAt: number;
}

export interface Collection {
  readonly current: ReadonlyMap<string, AnyEntity>;
  /** As far as the topic has been read. */
  readonly past: readonly Past[];
  /** Ids of those whose field is `target`, in their own order: which is first does not depend on who was written last. */
  referring(field: string, target: string): readonly string[];
  /** The next event of the topic. */
  apply(event: AnyChanged, offset: number): void;
  /** Takes an acknowledged event that the topic has not brought yet. */
  applyOwn(event: AnyChanged, offset: number): void;
}

export function createCollection(description: AnyDescription): Collection {
  /** The entities as far as the topic has been read. */
  const folded = new Map<string, AnyEntity>();
  /** What lies ahead of that, in the order of the log. Another writer's event may come to lie before it. */
  const ahead = new Map<string, Pending[]>();
  const current = new Map<string, AnyEntity>();
  const past: Past[] = [];
  const references = fieldsOf(description).filter(([, { refersTo }]) => refersTo !== undefined);
  const referrers = new Map(references.map(([field]) => [field, new Map<string, Set<string>>()]));

  function show(id: string, after: AnyEntity | undefined): void {
    const before = current.get(id);
    if (before !== undefined) index(before, (ids) => ids.delete(id));
    if (after === undefined) current.delete(id);
    else {
      current.set(id, after);
      index(after, (ids) => ids.add(id));
    }
  }

  function layAgain(id: string): void {
    let after = folded.get(id);
    for (const { event } of ahead.get(id) ?? []) after = evolve(after, event);
    show(id, after);
  }

  function index(entity: AnyEntity, change: (ids: Set<string>) => unknown): void {
    const values = new Map<string, unknown>(Object.entries(entity));
    for (const [field, targets] of referrers) {
      const target = values.get(field);
      if (typeof target !== "string") continue;
      const ids = targets.get(target) ?? new Set();
      change(ids);
      if (ids.size === 0) targets.delete(target);
      else targets.set(target, ids);
    }
  }

  return {
    current,
    past,
    referring: (field, target) => [...(referrers.get(field)?.get(target) ?? [])].sort(),
    apply(event, offset) {
      const { id } = event;
      const before = folded.get(id);
      const after = evolve(before, event);
      if (before !== undefined && after === undefined) past.push({ entity: before, deletedAt: event.at });
      if (after === undefined) folded.delete(id);
      else folded.set(id, after);
      const own = ahead.get(id) ?? [];
      // Most often the topic brings the oldest own event next, which is part of the entity already.
      const isOldestOwn = own[0]?.offset === offset;
      const left = own.findIndex((each) => each.offset > offset);
      if (left === -1) ahead.delete(id);
      else own.splice(0, left);
      if (!isOldestOwn) layAgain(id);
    },
    applyOwn(event, offset) {
      const { id } = event;
      const own = ahead.get(id) ?? [];
      ahead.set(id, own);
      const newest = own.at(-1);
      own.push({ offset, event });
      if (newest === undefined || newest.offset < offset) show(id, evolve(current.get(id), event));
      else {
        own.sort((a, b) => a.offset - b.offset);
        layAgain(id);
      }
    },
  };
}
