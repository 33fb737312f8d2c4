// Loads a stored state, in portions, so that neither Redis nor the heartbeats wait for all of it.
import type { Redis } from "ioredis";
import { createRestoration, type PartitionState, textKinds } from "../../projections/live/partition.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { PartitionKeys } from "../../schemas/redis-keys.ts";
import { HopelessError } from "../common/hopeless.ts";

export interface LoadedState {
  /** Camera-log offset to apply next. */
  readonly next: number;
  readonly state: PartitionState;
}

const ATTEMPTS = 5;
const PORTION_CHARACTERS = 1024 * 1024;
const FIRST_COUNT = 10;
const MAX_COUNT = 500;

/** The portions are of one moment only if nothing was saved while they were read; otherwise they are read again. */
export async function loadState(
  redis: Redis,
  partition: number,
  keys: PartitionKeys,
): Promise<LoadedState | undefined> {
  let before = await stampOf(redis, keys);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (before.next === null) return undefined;
    const read = await readState(redis, partition, keys, geofencesUpToOf(before)).catch((error: unknown) => ({
      error,
    }));
    const after = await stampOf(redis, keys);
    if (after.next === before.next && after.saves === before.saves) {
      if ("error" in read) throw read.error;
      return { next: Number(before.next), state: read.state };
    }
    before = after;
  }
  throw new Error(`live state of partition ${partition} was written each time it was read`);
}

/** Changes with every save, not with a claim. */
async function stampOf(redis: Redis, { position }: PartitionKeys) {
  const [next = null, saves = null, geofences = null] = await redis.hmget(position, "next", "saves", "geofences");
  return { next, saves, geofences };
}

/** A position from before there were geofences has none. */
const geofencesUpToOf = ({ geofences }: { readonly geofences: string | null }): number => Number(geofences ?? -1);

async function readState(redis: Redis, partition: number, keys: PartitionKeys, geofencesUpTo: number) {
  const restoration = createRestoration(partition, geofencesUpTo);
  for (const kind of textKinds) {
    for await (const jsons of portionsOf(redis, keys[kind])) {
      try {
        restoration.add(kind, jsons);
      } catch (cause) {
        throw new HopelessError(
          `live state of partition ${partition} makes no sense (${messageOf(cause)}); remove ${keys.position}, and it is rebuilt from the log`,
          { cause },
        );
      }
    }
  }
  return { state: restoration.finish() };
}

/** The values of a hash; some may come twice. Texts differ in length, so each count follows from the last portion. */
async function* portionsOf(redis: Redis, key: string): AsyncGenerator<string[], void> {
  let cursor = "0";
  let count = FIRST_COUNT;
  do {
    const [next, pairs] = await redis.hscan(key, cursor, "COUNT", count);
    cursor = next;
    const jsons = pairs.filter((_, i) => i % 2 === 1);
    yield jsons;
    const characters = jsons.reduce((sum, json) => sum + json.length, 0);
    if (characters === 0) continue;
    const fitting = Math.floor((count * PORTION_CHARACTERS) / characters);
    count = Math.min(Math.max(fitting, 1), count * 2, MAX_COUNT);
  } while (cursor !== "0");
}
