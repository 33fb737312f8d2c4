// Stages a whole state in Redis: in portions, under keys that have no reader until it is complete.
import { type Text, type Touched, textKinds } from "../../../projections/live/partition.ts";
import type { RedisClient } from "../../common/redis/client.ts";

type PerKind<T> = Record<keyof Touched, T>;

/** Redis drops the staged texts of an abandoned attempt this long after its last portion. */
const STAGED_TTL_S = 60;
/** A portion is made and sent within a few milliseconds, so that heartbeats are sent in between. */
const PORTION_TEXTS = 500;
const PORTION_CHARACTERS = 1024 * 1024;

/** Resolves with the number of texts of each kind in the keys. A text larger than a portion is sent alone. */
export async function stage(
  redis: RedisClient,
  keys: PerKind<string>,
  texts: Iterable<Text>,
): Promise<PerKind<number>> {
  const counts = { tracks: 0, sources: 0, zones: 0, past: 0 };
  let portion = emptyPortion();
  for (const [kind, id, json] of texts) {
    counts[kind]++;
    portion.fields[kind].push(id, json);
    portion.texts++;
    portion.characters += json.length;
    if (portion.texts < PORTION_TEXTS && portion.characters < PORTION_CHARACTERS) continue;
    await send(redis, keys, portion.fields);
    portion = emptyPortion();
  }
  await send(redis, keys, portion.fields);
  return counts;
}

const emptyPortion = () => ({
  fields: { tracks: [], sources: [], zones: [], past: [] } as PerKind<string[]>,
  texts: 0,
  characters: 0,
});

async function send(redis: RedisClient, keys: PerKind<string>, fields: PerKind<string[]>): Promise<void> {
  const pipeline = redis.pipeline();
  for (const kind of textKinds) {
    if (fields[kind].length > 0) pipeline.hset(keys[kind], ...fields[kind]);
    pipeline.expire(keys[kind], STAGED_TTL_S);
  }
  const replies = await pipeline.exec();
  for (const [error] of replies ?? []) if (error !== null) throw error;
}
