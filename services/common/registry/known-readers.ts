// The readers of schemas by id, as far as they were fetched, and the reasons why other ids have none.
import { LRUCache } from "lru-cache";

/** Maximum number of readers of other producers' schemas. */
const MAX_READERS = 1_000;
/**
 * Maximum characters of their schemas together. A reader takes 17 to 60 times as much memory as its schema. The schemas
 * of tracklog have 35 kB together.
 */
const MAX_CHARACTERS = 2 * 1024 * 1024;
/** Maximum number of remembered refusals, because a producer can invent ids. */
export const REFUSED_IDS = 10_000;
/** Milliseconds for which an absent id is refused, because its schema may be registered late. */
const REFUSED_MS = 60_000;
/** Larger numbers are no ids: the registry counts in 31 bits. */
const MAX_ID = 2 ** 31 - 1;

export interface KnownReaders<Reader> {
  /** @returns undefined when the id must be loaded; a text is the reason why its messages cannot be read. */
  get(id: number): Reader | string | undefined;
  /** Returns the same as `get`, but for an id in a topic that only tracklog writes. */
  getOwn(id: number): Reader | string | undefined;
  isOwn(id: number): boolean;
  /** Keeps the reader for the life of the process. */
  setOwn(id: number, reader: Reader): void;
  /**
   * Keeps a reader that was loaded for the life of the process.
   * @returns false when the registry must be asked for the id.
   */
  keepAsOwn(id: number): boolean;
  /** Keeps the reader until newer ones need its place. `characters` is the length of its schema. */
  set(id: number, reader: Reader, characters: number): void;
  refuse(id: number, reason: string): void;
  /** Refuses the id for a while, because the registry does not have it. */
  refuseAbsent(id: number): void;
  refuseAbsentOwn(id: number): void;
}

export function createKnownReaders<Reader extends object>(): KnownReaders<Reader> {
  const own = new Map<number, Reader>();
  const others = new LRUCache<number, Reader>({ max: MAX_READERS, maxSize: MAX_CHARACTERS });
  /** These refusals do not expire, because the registry never gives an id to another schema. */
  const unreadable = new LRUCache<number, string>({ max: REFUSED_IDS });
  const absent = new LRUCache<number, string>({ max: REFUSED_IDS, ttl: REFUSED_MS });
  const absentOwn = new LRUCache<number, string>({ max: REFUSED_IDS, ttl: REFUSED_MS });
  const refusalOf = (id: number) => unreadable.get(id) ?? (id > MAX_ID ? unknown(id) : undefined);

  return {
    get: (id) => own.get(id) ?? others.get(id) ?? refusalOf(id) ?? absent.get(id),
    getOwn: (id) => own.get(id) ?? refusalOf(id) ?? absentOwn.get(id),
    isOwn: (id) => own.has(id),
    setOwn: (id, reader) => void own.set(id, reader),
    keepAsOwn(id) {
      const reader = others.get(id);
      if (reader !== undefined) own.set(id, reader);
      return own.has(id) || refusalOf(id) !== undefined;
    },
    set: (id, reader, characters) => void others.set(id, reader, { size: Math.max(1, characters) }),
    refuse: (id, reason) => void unreadable.set(id, `schema id ${id} cannot be read: ${reason}`),
    refuseAbsent: (id) => void absent.set(id, unknown(id)),
    refuseAbsentOwn: (id) => void absentOwn.set(id, unknown(id)),
  };
}

export const unknown = (id: number): string => `unknown schema id ${id}`;
