// Live state in Redis: one atomic, fenced step per partition and batch.
import type { Redis } from "ioredis";
import { z } from "zod";
import type { Touched } from "../../projections/live/partition.ts";
import { partitionKeys } from "../../schemas/redis-keys.ts";

export interface StoredPartition {
  /** Camera-log offset to apply next. */
  readonly next: number;
  /** End of this partition's zone-intersections at that time. */
  readonly intersections: number;
  readonly tracks: readonly string[];
  readonly sources: readonly string[];
  readonly zones: readonly string[];
}

export interface Save {
  readonly partition: number;
  /** Who writes: one name per takeover, so that a write whose answer was lost is known again. */
  readonly owner: string;
  /** What `next` must still be; undefined when nothing was stored before. */
  readonly expected: number | undefined;
  readonly next: number;
  readonly intersections: number;
  readonly touched: Touched;
  /** Delete what is there first: `touched` is everything. */
  readonly replace: boolean;
}

/**
 * `overtaken`: another owner is further on, this one must stop. `lost`: Redis knows less than we wrote before (flushed,
 * or restarted without its last second), so everything must be written again.
 */
export type SaveResult = "saved" | "overtaken" | "lost";

export interface LiveStore {
  /** False while an earlier owner may still be writing: it has not let go and saved a moment ago. */
  isFree(partition: number): Promise<boolean>;
  /** Says that this owner is at work, from before its first save on. */
  claim(partition: number, owner: string): Promise<void>;
  /** Says that this owner writes no more. */
  release(partition: number, owner: string): Promise<void>;
  load(partition: number): Promise<StoredPartition | undefined>;
  save(save: Save): Promise<SaveResult>;
}

// An older owner cannot overwrite a newer one: the stored position must be the one this owner left there.
const SAVE_SCRIPT = `
local stored = tonumber(redis.call('HGET', KEYS[1], 'next') or '-1')
local expected = tonumber(ARGV[1])
local replace = ARGV[2] == '1'
if stored > expected then
  if ARGV[3] == tostring(stored) and redis.call('HGET', KEYS[1], 'owner') == ARGV[5] then return 'saved' end
  return 'overtaken'
end
if stored < expected and not replace then return 'lost' end
if replace then redis.call('DEL', KEYS[2], KEYS[3], KEYS[4]) end
local at = 6
for key = 2, 4 do
  local sets = tonumber(ARGV[at])
  at = at + 1
  for first = at, at + sets - 1, 1000 do
    redis.call('HSET', KEYS[key], unpack(ARGV, first, math.min(first + 999, at + sets - 1)))
  end
  at = at + sets
  local deletes = tonumber(ARGV[at])
  at = at + 1
  for first = at, at + deletes - 1, 1000 do
    redis.call('HDEL', KEYS[key], unpack(ARGV, first, math.min(first + 999, at + deletes - 1)))
  end
  at = at + deletes
end
redis.call('HSET', KEYS[1], 'next', ARGV[3], 'intersections', ARGV[4], 'owner', ARGV[5], 'savedAt', redis.call('TIME')[1])
return 'saved'
`;

const CLAIM_SCRIPT = `
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'savedAt', redis.call('TIME')[1])
return 1
`;

const RELEASE_SCRIPT = `
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('HSET', KEYS[1], 'released', ARGV[1]) end
return 1
`;

const IS_FREE_SCRIPT = `
local owner = redis.call('HGET', KEYS[1], 'owner')
if not owner or redis.call('HGET', KEYS[1], 'released') == owner then return 1 end
local savedAt = tonumber(redis.call('HGET', KEYS[1], 'savedAt') or '0')
return tonumber(redis.call('TIME')[1]) - savedAt > tonumber(ARGV[1]) and 1 or 0
`;

/** An owner saves at least every two seconds; Redis' clock is read in whole seconds. */
const GONE_AFTER_S = 3;

const texts = z.array(z.string());
const storedReplies = z.tuple([z.record(z.string(), z.string()), texts, texts, texts]);

type Command<T> = (...args: (string | number)[]) => Promise<T>;

export function createLiveStore(redis: Redis, namespace: string): LiveStore {
  redis.defineCommand("savePartition", { numberOfKeys: 4, lua: SAVE_SCRIPT });
  redis.defineCommand("claimPartition", { numberOfKeys: 1, lua: CLAIM_SCRIPT });
  redis.defineCommand("releasePartition", { numberOfKeys: 1, lua: RELEASE_SCRIPT });
  redis.defineCommand("isPartitionFree", { numberOfKeys: 1, lua: IS_FREE_SCRIPT });
  const savePartition = Reflect.get(redis, "savePartition") as Command<SaveResult>;
  const claimPartition = Reflect.get(redis, "claimPartition") as Command<number>;
  const releasePartition = Reflect.get(redis, "releasePartition") as Command<number>;
  const isPartitionFree = Reflect.get(redis, "isPartitionFree") as Command<number>;

  return {
    async isFree(partition) {
      const { position } = partitionKeys(namespace, partition);
      return (await isPartitionFree.call(redis, position, GONE_AFTER_S)) === 1;
    },

    async claim(partition, owner) {
      await claimPartition.call(redis, partitionKeys(namespace, partition).position, owner);
    },

    async release(partition, owner) {
      await releasePartition.call(redis, partitionKeys(namespace, partition).position, owner);
    },

    async load(partition) {
      const keys = partitionKeys(namespace, partition);
      // In one step: a flush between two reads would look like a state without tracks.
      const replies = await redis
        .multi()
        .hgetall(keys.position)
        .hvals(keys.tracks)
        .hvals(keys.sources)
        .hvals(keys.zones)
        .exec();
      const [position, tracks, sources, zones] = storedReplies.parse(replies?.map(([, reply]) => reply));
      if (position["next"] === undefined) return undefined;
      return {
        next: Number(position["next"]),
        intersections: Number(position["intersections"]),
        tracks,
        sources,
        zones,
      };
    },

    async save({ partition, owner, expected, next, intersections, touched, replace }) {
      const keys = partitionKeys(namespace, partition);
      const args: (string | number)[] = [keys.position, keys.tracks, keys.sources, keys.zones];
      args.push(expected ?? -1, replace ? 1 : 0, next, intersections, owner);
      for (const changes of [touched.tracks, touched.sources, touched.zones]) pushChanges(args, changes);
      return savePartition.apply(redis, args);
    },
  };
}

function pushChanges(args: (string | number)[], changes: ReadonlyMap<string, string | null>): void {
  const sets: string[] = [];
  const deletes: string[] = [];
  for (const [field, value] of changes) {
    if (value === null) deletes.push(field);
    else sets.push(field, value);
  }
  args.push(sets.length);
  for (const part of sets) args.push(part);
  args.push(deletes.length);
  for (const field of deletes) args.push(field);
}
