// Live state in Redis: one atomic, fenced step per partition and batch. A state too large for one step is staged in
// portions beside the live state, and replaces it in one.
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { stamp, type Text, type Touched } from "../../projections/live/partition.ts";
import { outputFields, outputTopics, type PerOutput, perOutput } from "../../schemas/outputs.ts";
import { partitionKeys, stagedKeys } from "../../schemas/redis-keys.ts";
import { defineScript } from "../common/redis-script.ts";
import type { LostEnd } from "./last-outputs.ts";
import {
  CLAIM_SCRIPT,
  IS_FREE_SCRIPT,
  RELEASE_SCRIPT,
  REPLACE_SCRIPT,
  SAVE_SCRIPT,
  STAMP_SCRIPT,
  STAY_SCRIPT,
} from "./live-scripts.ts";
import { type LoadedState, loadState, type Stamp } from "./load-state.ts";
import { stage } from "./stage.ts";

/** The writer, with its log and settings. */
export interface Owner {
  /** One name per takeover, so that a write whose answer was lost is recognized. */
  readonly name: string;
  /** The camera-log that the positions belong to. */
  readonly logId: string;
  /** Those that shape results, as one text. */
  readonly settings: string;
}

export interface StoredPosition {
  /** Camera-log offset to apply next; undefined when there is no state. */
  readonly next: number | undefined;
  /** Undefined in positions that were written before the log id was stored. */
  readonly logId: string | undefined;
  readonly settings: string | undefined;
  readonly lostEnd: LostEnd | undefined;
}

/** The texts that a round writes: some of them, or all in place of those stored. */
export type Changes =
  | { readonly touched: Touched }
  /** Called at each attempt: until the save has ended the state must stay as it is. */
  | { readonly everything: () => Iterable<Text> };

export interface Save {
  readonly partition: number;
  readonly owner: Owner;
  /** The value that the stored `next` must still have; undefined when nothing was stored before. */
  readonly expected: number | undefined;
  readonly next: number;
  /** Where this partition of each topic of outputs ends. */
  readonly ends: PerOutput<number>;
  readonly changes: Changes;
  /** Offset of the catalog; NaN = not known. */
  readonly geofencesUpTo: number;
}

/**
 * `overtaken`: another owner is further on, this one must stop. `lost`: Redis knows less than we wrote before (flushed,
 * restarted without its last second, or without one of the hashes), so everything must be written again.
 */
export type SaveResult = "saved" | "overtaken" | "lost";

/** Offsets that retention removed before they were processed; `to` is exclusive. */
export interface Missed {
  readonly from: number;
  readonly to: number;
}

export interface LiveStore {
  /** False while an earlier owner may still be writing: it has not let go, and it saved a moment ago. */
  isFree(partition: number): Promise<boolean>;
  /** Says that this owner is at work, from before its first save on. */
  claim(partition: number, owner: Owner): Promise<void>;
  /** Says that this owner is still at work though it saves nothing, unless another owner has claimed the partition. */
  stay(partition: number, owner: Owner): Promise<void>;
  /** Says that this owner writes no more. */
  release(partition: number, owner: Owner): Promise<void>;
  position(partition: number): Promise<StoredPosition>;
  /** Undefined when nothing is stored. */
  load(partition: number): Promise<LoadedState | undefined>;
  save(save: Save): Promise<SaveResult>;
  /** Leaves a record beside the position. */
  recordMissed(partition: number, missed: Missed): Promise<void>;
  recordLostEnd(partition: number, lostEnd: LostEnd): Promise<void>;
}

/** An owner saves, or says that it stays, at least every two seconds; Redis' clock is read in whole seconds. */
const GONE_AFTER_S = 3;

const optional = z.string().nullable();
const positionReply = z.array(optional);
const LOST_ENDS = outputTopics.map((topic) => outputFields[topic].lostEnd);

/** `now`: the time that the texts of a save bear. */
export function createLiveStore(redis: Redis, namespace: string, now: () => number): LiveStore {
  const command = <T>(numberOfKeys: number, lua: string) => defineScript<T>(redis, numberOfKeys, lua);
  const savePartition = command<SaveResult>(5, SAVE_SCRIPT);
  const replacePartition = command<SaveResult>(9, REPLACE_SCRIPT);
  const stampState = command<Stamp>(5, STAMP_SCRIPT);
  const claimPartition = command<number>(1, CLAIM_SCRIPT);
  const stayInPartition = command<number>(1, STAY_SCRIPT);
  const releasePartition = command<number>(1, RELEASE_SCRIPT);
  const isPartitionFree = command<number>(1, IS_FREE_SCRIPT);
  const keysOf = (partition: number) => partitionKeys(namespace, partition);

  return {
    isFree: async (partition) => (await isPartitionFree(keysOf(partition).position, GONE_AFTER_S)) === 1,

    async claim(partition, owner) {
      await claimPartition(keysOf(partition).position, owner.name);
    },

    async stay(partition, owner) {
      await stayInPartition(keysOf(partition).position, owner.name);
    },

    async release(partition, owner) {
      await releasePartition(keysOf(partition).position, owner.name);
    },

    async position(partition) {
      const reply = await redis.hmget(
        keysOf(partition).position,
        "next",
        "logId",
        "settings",
        "lostLogEnd",
        ...LOST_ENDS,
      );
      const [next, logId, settings, logEnd, ...ends] = positionReply.parse(reply);
      return {
        next: next == null ? undefined : Number(next),
        logId: logId ?? undefined,
        settings: settings ?? undefined,
        lostEnd: logEnd == null ? undefined : lostEndOf(logEnd, ends),
      };
    },

    load: (partition) => loadState({ redis, stamp: stampState, partition, keys: keysOf(partition) }),

    async save({ partition, owner, expected, next, ends, changes, geofencesUpTo }) {
      const keys = keysOf(partition);
      const live = [keys.position, ...inOrder.map((kind) => keys[kind])];
      const fields = outputTopics.flatMap((topic) => [outputFields[topic].end, ends[topic]]);
      const known = ["logId", owner.logId, "settings", owner.settings, "geofences", geofencesUpTo, ...fields];
      const fence = [expected ?? -1, next, owner.name, known.length, known];
      const appliedAt = now();
      if ("touched" in changes) {
        const { touched } = changes;
        const stamped = (json: string) => stamp(json, appliedAt);
        const args = inOrder.flatMap((kind) => argumentsOf(touched[kind], isStamped(kind) ? stamped : undefined));
        return savePartition(...live, ...fence, ...args);
      }
      const staged = stagedKeys(namespace, partition, randomUUID());
      const counts = await stage(redis, staged, stampedTexts(changes.everything(), appliedAt));
      const stagedInOrder = inOrder.map((kind) => staged[kind]);
      return replacePartition(...live, ...stagedInOrder, ...fence, ...inOrder.map((kind) => counts[kind]));
    },

    async recordMissed(partition, { from, to }) {
      await redis.hset(keysOf(partition).position, { missedFrom: from, missedTo: to });
    },

    async recordLostEnd(partition, { logEnd, outputsEnds }) {
      const fields = outputTopics.map((topic) => [outputFields[topic].lostEnd, outputsEnds[topic]] as const);
      await redis.hset(keysOf(partition).position, { lostLogEnd: logEnd, ...Object.fromEntries(fields) });
    },
  };
}

/** As the scripts take them. */
const inOrder = ["tracks", "sources", "zones", "past"] as const;

/** Readers show when the texts of tracks and zones were written. */
const isStamped = (kind: keyof Touched): boolean => kind === "tracks" || kind === "zones";

function lostEndOf(logEnd: string, ends: readonly (string | null)[]): LostEnd {
  const outputsEnds = perOutput((topic) => Number(ends[outputTopics.indexOf(topic)] ?? 0));
  return { logEnd: Number(logEnd), outputsEnds };
}

function* stampedTexts(texts: Iterable<Text>, appliedAt: number): Generator<Text> {
  for (const text of texts) {
    const [kind, id, json] = text;
    yield isStamped(kind) ? [kind, id, stamp(json, appliedAt)] : text;
  }
}

function argumentsOf(
  changes: ReadonlyMap<string, string | null>,
  store = (json: string) => json,
): (number | readonly string[])[] {
  const sets: string[] = [];
  const deletes: string[] = [];
  for (const [field, value] of changes) {
    if (value === null) deletes.push(field);
    else sets.push(field, store(value));
  }
  return [sets.length, sets, deletes.length, deletes];
}
