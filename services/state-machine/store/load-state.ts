// Loads a stored state, in portions, so that neither Redis nor the heartbeats wait for all of it.
import {
  createRestoration,
  type LiveListener,
  type PartitionState,
  textKinds,
} from "../../../projections/live/partition.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { PartitionKeys } from "../../../schemas/redis-keys.ts";
import { PermanentError } from "../../common/permanent-errors.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { liveScripts } from "./live-scripts.ts";

export interface LoadedState {
  /** Camera-log offset to apply next. */
  readonly next: number;
  /** Undefined when Redis has lost a part of the state. */
  readonly state: PartitionState | undefined;
}

interface StoredState {
  readonly redis: RedisClient;
  readonly partition: number;
  readonly keys: PartitionKeys;
  readonly listener: LiveListener | undefined;
}

const ATTEMPTS = 5;
const PORTION_CHARACTERS = 1024 * 1024;
const FIRST_COUNT = 10;
const MAX_COUNT = 500;

/**
 * The portions fit together only if nothing was saved while they were read; otherwise they are read again.
 * @returns undefined when nothing is stored.
 */
export async function loadState(stored: StoredState): Promise<LoadedState | undefined> {
  let before = await stampOf(stored);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (before.next === null) return undefined;
    const read = await readState(stored, before.geofencesUpTo).catch((error: unknown) => ({ error }));
    const after = await stampOf(stored);
    if (after.next === before.next && after.saves === before.saves) {
      // A hash that was lost while it was read counts as lost, too.
      if (after.lacks) return { next: Number(before.next), state: undefined };
      if ("error" in read) throw read.error;
      return { next: Number(before.next), state: read.state };
    }
    before = after;
  }
  throw new Error(`live state of partition ${stored.partition} was written each time it was read`);
}

/** An earlier version stored positions without geofences: -1 means that no change is known. */
async function stampOf({ redis, keys }: StoredState) {
  const [next, saves, geofences, lacks] = await liveScripts.stamp(redis, keys);
  return { next, saves, geofencesUpTo: Number(geofences ?? -1), lacks: lacks === 1 };
}

async function readState({ redis, partition, keys, listener }: StoredState, geofencesUpTo: number) {
  const restoration = createRestoration(partition, geofencesUpTo, listener);
  for (const kind of textKinds) {
    for await (const jsons of portionsOf(redis, keys[kind])) {
      try {
        restoration.add(kind, jsons);
      } catch (cause) {
        throw new PermanentError(
          `live state of partition ${partition} makes no sense (${messageOf(cause)}); remove ${keys.position}, and it is rebuilt from the log`,
          { cause },
        );
      }
    }
  }
  return { state: restoration.finish() };
}

/**
 * Yields the values of a hash; some may come twice. Texts differ in length, so each count follows from the last
 * portion.
 */
async function* portionsOf(redis: RedisClient, key: string): AsyncGenerator<string[], void> {
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
