// The entities of one kind, by id and by what they refer to.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";
import { type AnyDescription, type Entity, fieldsOf } from "./define-entity.ts";
import { evolve } from "./evolve.ts";

export type AnyEntity = Entity<object>;

interface Pending {
  readonly offset: number;
  readonly event: AnyChanged;
}

export interface Collection {
  readonly current: ReadonlyMap<string, AnyEntity>;
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
  /** Own events beyond that, in the order of the log. Another writer's event may still come before them. */
  const ahead = new Map<string, readonly Pending[]>();
  const current = new Map<string, AnyEntity>();
  const references = fieldsOf(description).filter(([, { refersTo }]) => refersTo !== undefined);
  const referrers = new Map(references.map(([field]) => [field, new Map<string, Set<string>>()]));

  function settle(id: string): void {
    const before = current.get(id);
    let after = folded.get(id);
    for (const { event } of ahead.get(id) ?? []) after = evolve(after, event);
    if (before !== undefined) index(before, (ids) => ids.delete(id));
    if (after === undefined) current.delete(id);
    else {
      current.set(id, after);
      index(after, (ids) => ids.add(id));
    }
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
    referring: (field, target) => [...(referrers.get(field)?.get(target) ?? [])].sort(),
    apply(event, offset) {
      const { id } = event;
      const after = evolve(folded.get(id), event);
      if (after === undefined) folded.delete(id);
      else folded.set(id, after);
      const left = (ahead.get(id) ?? []).filter((own) => own.offset > offset);
      if (left.length === 0) ahead.delete(id);
      else ahead.set(id, left);
      settle(id);
    },
    applyOwn(event, offset) {
      const own = [...(ahead.get(event.id) ?? []), { offset, event }];
      ahead.set(
        event.id,
        own.sort((a, b) => a.offset - b.offset),
      );
      settle(event.id);
    },
  };
}
