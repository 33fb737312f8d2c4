// Requests the schemas of ids from the registry, at a limited rate, so that a flood of ids costs neither the registry
// nor this process too much.
import type { DecodeFailure } from "../../../schemas/codec.ts";
import { createTurns } from "../turns.ts";
import type { FetchSchema, RegisteredSchema } from "./fetch-schema.ts";
import { createQuestionPace } from "./question-pace.ts";

const AT_ONCE = 4;
/** Invented ids must not flood the registry. Only the partitions with such ids wait meanwhile. */
const QUESTIONS_PER_SECOND = 50;
/**
 * A compilation of at least this many milliseconds is followed by a rest. A schema of 32 Ki characters takes some 10
 * ms.
 */
const LONG_COMPILE_MS = 5;
/**
 * A rest is this many times as long as the compilation before it, so that large schemas leave the process four fifths
 * of its time.
 */
const RESTS = 4;
/** Longest rest in ms, because a stall of the machine also counts as compilation. */
const LONGEST_REST_MS = 500;

/** Resolves with false when the registry has no such schema; rejects when it is unavailable. */
export type AskRegistry = (id: number) => Promise<boolean>;

/** Simultaneous callers share a request. `compile` never throws. */
export function createAskRegistry(
  fetchSchema: FetchSchema,
  compile: (id: number, found: RegisteredSchema | DecodeFailure) => void,
): AskRegistry {
  const asked = new Map<number, Promise<boolean>>();
  const turns = createTurns(AT_ONCE);
  const compiling = createTurns(1);
  const paced = createQuestionPace(QUESTIONS_PER_SECOND);

  async function ask(id: number): Promise<boolean> {
    await paced();
    const found = await fetchSchema(id);
    if (found === undefined) return false;
    await compiling.run(async () => {
      const startedAt = performance.now();
      compile(id, found);
      const tookMs = performance.now() - startedAt;
      if (tookMs >= LONG_COMPILE_MS) await sleep(Math.min(tookMs * RESTS, LONGEST_REST_MS));
    });
    return true;
  }

  return (id) => {
    const asking = asked.get(id) ?? turns.run(() => ask(id)).finally(() => asked.delete(id));
    asked.set(id, asking);
    return asking;
  };
}

/** Calls `absent` for each id that the registry does not have. The first ids are requested first. */
export async function askAll(ids: readonly number[], ask: AskRegistry, absent: (id: number) => void): Promise<void> {
  const left = [...ids];
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) if (!(await ask(id))) absent(id);
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    // After a failure the remaining ids are dropped. The next attempt requests them.
    left.length = 0;
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
