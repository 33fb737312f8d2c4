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
  /** Also a deleted one. */
  lastKnown(id: string): AnyEntity | undefined;
  /** Ids of those whose field is `target`, in their own order: which is first does not depend on who was written last. */
  referring(field: string, target: string): readonly string[];
  /** The next event of the topic. Returns why readers refuse it; it then changes nothing. */
  apply(event: AnyChanged, offset: number): string | undefined;
  /** The topic has an event at this offset that readers refuse. */
  pass(id: string, offset: number): void;
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
  const pastById = new Map<string, AnyEntity>();
  /** By unique field, the ids by value, as far as the topic has been read. */
  const owners = new Map(
    fieldsOf(description)
      .filter(([, { unique }]) => unique === true)
      .map(([field]) => [field, new Map<unknown, string>()]),
  );
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

  /** Of a first creation, or an update that sets the field. */
  function refusalOf(before: AnyEntity | undefined, { id, change, set }: AnyChanged): string | undefined {
    if ((change === "created") !== (before === undefined)) return undefined;
    for (const [field, ids] of owners) {
      const owner = ids.get(Reflect.get(set, field));
      if (owner !== undefined && owner !== id) return `set.${field}: that of ${owner}`;
    }
    return undefined;
  }

  function own(entity: AnyEntity | undefined, change: (ids: Map<unknown, string>, value: unknown) => void): void {
    if (entity !== undefined) for (const [field, ids] of owners) change(ids, Reflect.get(entity, field));
  }

  function fold(id: string, before: AnyEntity | undefined, after: AnyEntity | undefined): void {
    own(before, (ids, value) => ids.delete(value));
    own(after, (ids, value) => ids.set(value, id));
    if (after === undefined) folded.delete(id);
    else folded.set(id, after);
  }

  /** The topic has been read up to there. Returns whether it has brought the oldest own event. */
  function catchUp(id: string, offset: number): boolean {
    const events = ahead.get(id) ?? [];
    const isOldestOwn = events[0]?.offset === offset;
    const left = events.findIndex((each) => each.offset > offset);
    if (left === -1) ahead.delete(id);
    else events.splice(0, left);
    return isOldestOwn;
  }

  function pass(id: string, offset: number): void {
    catchUp(id, offset);
    layAgain(id);
  }

  return {
    current,
    past,
    lastKnown: (id) => current.get(id) ?? folded.get(id) ?? pastById.get(id),
    referring: (field, target) => [...(referrers.get(field)?.get(target) ?? [])].sort(),
    apply(event, offset) {
      const { id } = event;
      const before = folded.get(id);
      const refused = refusalOf(before, event);
      if (refused !== undefined) {
        pass(id, offset);
        return refused;
      }
      const after = evolve(before, event);
      if (before !== undefined && after === undefined) {
        past.push({ entity: before, deletedAt: event.at });
        pastById.set(id, before);
      }
      fold(id, before, after);
      // Most often the topic brings the oldest own event next, which is part of the entity already.
      if (!catchUp(id, offset)) layAgain(id);
      return undefined;
    },
    pass,
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
