// Restores the states in Redis after a loss.
import type { Redis } from "ioredis";
import type { EventStateKeys } from "../../../schemas/redis-keys.ts";
import type { Log } from "../../common/log.ts";
import type { Journal } from "./journal.ts";
import { recountTokens, restoreState } from "./store.ts";

export interface RestoreOptions {
  readonly redis: Redis;
  readonly keys: EventStateKeys;
  readonly journal: Journal;
  readonly keepMs: number;
  readonly log: Log;
}

const AT_A_TIME = 500;

/** States that only Redis has are kept: they are written to the log when they are needed next. */
export function createRestore({ redis, keys, journal, keepMs, log }: RestoreOptions) {
  return async (isOther: boolean): Promise<void> => {
    if (isOther) await logAnew(redis, keys);
    const states = [...(await journal.read())];
    for (const portion of portionsOf(states)) {
      await Promise.all(portion.map((each) => restoreState(redis, keys, { ...each, keepMs })));
    }
    await recountTokens(redis, keys);
    log.info({ states: states.length, isOther }, "event states restored");
  };
}

/** Marks all states in Redis as not logged, because offsets of another log mean nothing in this one. */
async function logAnew(redis: Redis, keys: EventStateKeys): Promise<void> {
  const members = await redis.zrange(keys.due, 0, "-1");
  for (const portion of portionsOf(members)) {
    await Promise.all(
      portion.map(async (member) => {
        await redis.hset(keys.event(member), { logged: -1, stale: -1 });
        await redis.zadd(keys.due, 0, member);
      }),
    );
  }
}

function* portionsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += AT_A_TIME) yield items.slice(at, at + AT_A_TIME);
}
