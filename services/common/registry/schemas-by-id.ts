// The schemas that messages name by their ids, as far as they were asked for. An id that cannot be read is remembered
// with the reason: its messages are refused, and no reader waits for it. No id is refused before the registry was asked.
import { LRUCache } from "lru-cache";
import { messageOf } from "../../../schemas/errors.ts";
import { createTurns } from "../turns.ts";
import type { FetchSchema, RegisteredSchema } from "./fetch-schema.ts";

export interface SchemasById<Reader> {
  /** @returns undefined when the id was never asked for; a text is the reason why its messages cannot be read. */
  get(id: number): Reader | string | undefined;
  set(id: number, reader: Reader): void;
  /** Resolves when all are known or refused; rejects when the registry is away. The first ids are asked for first. */
  learn(ids: readonly number[]): Promise<void>;
}

/** A producer can make ids up. */
const REFUSED_IDS = 10_000;
/** A schema may be registered late. */
const REFUSED_MS = 60_000;
/** An installation has a few for each record. Each of more is refused: they are kept for the life of the process. */
const MAX_READERS = 1_000;
const AT_ONCE = 4;
/** A flood of invented ids must not become one of the registry: only the partitions of the flood wait meanwhile. */
const QUESTIONS_PER_SECOND = 50;
/** Of one fetch, those of the most messages. The others are refused when they are not there at the first question. */
const MAX_ASKED_AGAIN = 16;
/** A registry of several instances may not have everywhere what was just registered. */
const ASK_AGAIN_AFTER_MS = [500, 2_000];
/** Who invents ids all the time does not hold up the others of the partition: further ones are asked for once. */
const WAITS_PER_MINUTE = 10;
/** Beyond it an id is none: the registry counts in 31 bits. */
const MAX_ID = 2 ** 31 - 1;
const MAX_REASON_CHARACTERS = 300;

/** `readerOf` throws when values of the schema cannot be read. */
export function createSchemasById<Reader extends object>(
  fetchSchema: FetchSchema,
  readerOf: (schema: RegisteredSchema) => Reader,
): SchemasById<Reader> {
  const readers = new Map<number, Reader>();
  const refused = new LRUCache<number, string>({ max: REFUSED_IDS, ttl: REFUSED_MS });
  const asked = new Map<number, Promise<boolean>>();
  const turns = createTurns(AT_ONCE);
  const paced = createPace(QUESTIONS_PER_SECOND);
  const mayWait = createBudget(WAITS_PER_MINUTE);

  /** False when the registry has no such schema. */
  async function ask(id: number): Promise<boolean> {
    await paced();
    const found = await fetchSchema(id);
    if (found === undefined) return false;
    try {
      if (!found.ok) throw new Error(found.reason);
      const reader = readerOf(found);
      if (readers.size >= MAX_READERS) throw new Error(`${MAX_READERS} others are in use`);
      readers.set(id, reader);
    } catch (error) {
      refused.set(id, `schema id ${id} cannot be read: ${messageOf(error).slice(0, MAX_REASON_CHARACTERS)}`);
    }
    return true;
  }

  /** Callers at the same time share the question. */
  function askOnce(id: number): Promise<boolean> {
    const asking = asked.get(id) ?? turns.run(() => ask(id)).finally(() => asked.delete(id));
    asked.set(id, asking);
    return asking;
  }

  /** Resolves with the ids that the registry does not have, and that may be asked for again. */
  async function askAll(ids: readonly number[]): Promise<number[]> {
    const unfound: number[] = [];
    const left = [...ids];
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        if (await askOnce(id)) continue;
        if (unfound.length < MAX_ASKED_AGAIN) unfound.push(id);
        else refused.set(id, unknown(id));
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      // After a failure nobody waits for the others: the next attempt asks for them.
      left.length = 0;
    }
    return unfound;
  }

  return {
    get: (id) => readers.get(id) ?? refused.get(id) ?? (id > MAX_ID ? unknown(id) : undefined),
    set: (id, reader) => void readers.set(id, reader),

    async learn(ids) {
      let unfound = await askAll(ids);
      for (const pauseMs of ASK_AGAIN_AFTER_MS) {
        if (unfound.length === 0) return;
        if (!mayWait()) break;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        unfound = await askAll(unfound);
      }
      for (const id of unfound) refused.set(id, unknown(id));
    },
  };
}

export const unknown = (id: number): string => `unknown schema id ${id}`;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Each call resolves when the next question may begin. After a pause those of a second may begin at once. */
function createPace(perSecond: number): () => Promise<void> {
  let fullUntil = 0;
  return async () => {
    const now = performance.now();
    fullUntil = Math.max(fullUntil, now) + SECOND_MS / perSecond;
    const waitMs = fullUntil - now - SECOND_MS;
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}

function createBudget(perMinute: number): () => boolean {
  let since = performance.now();
  let taken = 0;
  return () => {
    if (performance.now() - since > MINUTE_MS) {
      since = performance.now();
      taken = 0;
    }
    taken += 1;
    return taken <= perMinute;
  };
}
