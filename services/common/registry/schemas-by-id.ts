// Schemas that messages name by their ids, as far as they were fetched. An id whose schema cannot be read is remembered
// with the reason: its messages are refused, and no reader waits for it. No id is refused before the registry was
// asked.
import { LRUCache } from "lru-cache";
import type { DecodeFailure } from "../../../schemas/codec.ts";
import { messageOf } from "../../../schemas/errors.ts";
import { askAll, createAskRegistry, sleep } from "./ask-registry.ts";
import type { FetchSchema, RegisteredSchema } from "./fetch-schema.ts";
import { createKnownReaders, type KnownReaders, REFUSED_IDS } from "./known-readers.ts";
import { createWaitBudget } from "./question-pace.ts";
import { RegistryUnavailable } from "./registry-unavailable.ts";

export interface SchemasById<Reader> extends Pick<KnownReaders<Reader>, "get" | "getOwn"> {
  /** @returns true when the reader stays for the life of the process. */
  isOwn(id: number): boolean;
  /** Keeps the reader for the life of the process. */
  set(id: number, reader: Reader): void;
  /**
   * Resolves when all are known or refused; rejects when the registry is unavailable. The first ids are fetched first.
   * A reader may be dropped again as soon as other ids are loaded.
   */
  load(ids: readonly number[]): Promise<void>;
  /**
   * Loads ids of a topic that only tracklog writes. Their readers stay for the life of the process. It also rejects
   * while the registry does not have one of them, up to `patienceMs` after the first request for it.
   */
  loadOwn(ids: readonly number[], patienceMs: number): Promise<void>;
}

/**
 * Number of unknown ids of one fetch that are requested again, those with the most messages. The others are refused
 * after the first request.
 */
const MAX_ASKED_AGAIN = 16;
/**
 * Pauses in ms before the registry is asked again, because a registry of several instances may not have a new schema on
 * all of them yet.
 */
const ASK_AGAIN_AFTER_MS = [500, 2_000];
/**
 * A producer that invents ids all the time must not delay the other messages of the partition. Beyond this number of
 * waits, the registry is asked only once for an id.
 */
const WAITS_PER_MINUTE = 10;
const MAX_REASON_CHARACTERS = 300;

/** `readerOf` throws when values of the schema cannot be read. */
export function createSchemasById<Reader extends object>(
  fetchSchema: FetchSchema,
  readerOf: (schema: RegisteredSchema) => Reader,
): SchemasById<Reader> {
  const known = createKnownReaders<Reader>();
  const ask = createAskRegistry(fetchSchema, (id, found) => compile(id, found, readerOf, known));
  const awaitedSince = new LRUCache<number, number>({ max: REFUSED_IDS });
  const mayWait = createWaitBudget(WAITS_PER_MINUTE);

  /** Resolves with the ids that the registry does not have, and that may be asked for again. */
  async function unfoundOf(ids: readonly number[]): Promise<number[]> {
    const unfound: number[] = [];
    await askAll(ids, ask, (id) => {
      if (unfound.length < MAX_ASKED_AGAIN) unfound.push(id);
      else known.refuseAbsent(id);
    });
    return unfound;
  }

  /** @returns false when the registry does not have the schema, and may still get it. */
  async function hasLoadedOwn(id: number, patienceMs: number): Promise<boolean> {
    if (known.keepAsOwn(id) || ((await ask(id)) && known.keepAsOwn(id))) return true;
    const now = performance.now();
    const since = awaitedSince.get(id) ?? now;
    awaitedSince.set(id, since);
    if (now - since < patienceMs) return false;
    known.refuseAbsentOwn(id);
    return true;
  }

  return {
    get: known.get,
    getOwn: known.getOwn,
    isOwn: known.isOwn,
    set: known.setOwn,

    async load(ids) {
      let unfound = await unfoundOf(ids);
      for (const pauseMs of ASK_AGAIN_AFTER_MS) {
        if (unfound.length === 0) return;
        if (!mayWait()) break;
        await sleep(pauseMs);
        unfound = await unfoundOf(unfound);
      }
      for (const id of unfound) known.refuseAbsent(id);
    },

    async loadOwn(ids, patienceMs) {
      const loaded = await Promise.all(ids.map((id) => hasLoadedOwn(id, patienceMs)));
      const late = ids.filter((_, i) => !loaded[i]);
      if (late.length > 0)
        throw new RegistryUnavailable(`the registry does not have the schema ids ${late} of tracklog yet`);
    },
  };
}

/** Never throws: a schema that cannot be read is refused. */
function compile<Reader>(
  id: number,
  found: RegisteredSchema | DecodeFailure,
  readerOf: (schema: RegisteredSchema) => Reader,
  known: KnownReaders<Reader>,
): void {
  try {
    if (!found.ok) throw new Error(found.reason);
    known.set(id, readerOf(found), found.schema.length);
  } catch (error) {
    known.refuse(id, messageOf(error).slice(0, MAX_REASON_CHARACTERS));
  }
}
