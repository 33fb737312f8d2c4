// The acknowledged events of this process that the topic has not delivered yet. Events of other writers may lie before
// them in the topic.
import type { AnyChanged } from "../../schemas/catalog/changed.ts";

export interface OwnEvents {
  /** The events of the entity, in the order of the log. */
  of(id: string): readonly AnyChanged[];
  /** @returns true when the event is the newest of its entity. */
  add(event: AnyChanged, offset: number): boolean;
  /**
   * Records that the topic has been read up to the offset.
   * @returns true when the event at the offset is the oldest own one of the entity.
   */
  catchUp(id: string, offset: number): boolean;
}

interface OwnEvent {
  readonly offset: number;
  readonly event: AnyChanged;
}

export function createOwnEvents(): OwnEvents {
  const byId = new Map<string, OwnEvent[]>();
  return {
    of: (id) => (byId.get(id) ?? []).map(({ event }) => event),
    add(event, offset) {
      const own = byId.get(event.id) ?? [];
      byId.set(event.id, own);
      const newest = own.at(-1);
      own.push({ offset, event });
      if (newest === undefined || newest.offset < offset) return true;
      own.sort((a, b) => a.offset - b.offset);
      return false;
    },
    catchUp(id, offset) {
      const own = byId.get(id) ?? [];
      const isOldestOwn = own[0]?.offset === offset;
      const left = own.findIndex((each) => each.offset > offset);
      if (left === -1) byId.delete(id);
      else own.splice(0, left);
      return isOldestOwn;
    },
  };
}
