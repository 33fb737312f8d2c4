// Live state in Redis: one atomic, fenced step per partition and batch. A state too large for one step is staged in
// portions beside the live state, and replaces it in one step.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type LiveListener, stamp, type Text, type Touched } from "../../../projections/live/partition.ts";
import { alignedFields, alignedTopics, type PerAligned, perAligned } from "../../../schemas/outputs.ts";
import { type PartitionKeys, partitionKeys, stagedKeys } from "../../../schemas/redis-keys.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { liveScripts } from "./live-scripts.ts";
import { type LoadedState, loadState } from "./load-state.ts";
import { createPartitionClaims, type Owner, type PartitionClaims } from "./partition-claims.ts";
import { stage } from "./stage.ts";

/**
 * Recorded when the log has lost its end: outputs that were in their topic by then, and whose cause is not before
 * `logEnd`, are void.
 */
export interface LostEnd {
  readonly logEnd: number;
  readonly outputsEnds: PerAligned<number>;
}

export interface StoredPosition {
  /** Camera-log offset to apply next; undefined when there is no state. */
  readonly next: number | undefined;
  /** Undefined in positions that were written before the log id was stored. */
  readonly logId: string | undefined;
  readonly settings: string | undefined;
  readonly lostEnd: LostEnd | undefined;
}

/** Texts that a round writes: the touched ones, or all in place of the stored ones. */
export type StoredChanges =
  | { readonly touched: Touched }
  /** Called at each attempt: until the save has ended the state must not change. */
  | { readonly everything: () => Iterable<Text> };

export interface Save {
  readonly partition: number;
  readonly owner: Owner;
  /** Value that the stored `next` must still have; undefined when nothing was stored before. */
  readonly expected: number | undefined;
  readonly next: number;
  /** Ends of this partition in each topic of outputs. */
  readonly ends: PerAligned<number>;
  readonly changes: StoredChanges;
  /** Offset of the catalog; NaN while unknown. */
  readonly geofencesUpTo: number;
}

/**
 * "overtaken" means that another owner has a later position, and this one must stop. "lost" means that Redis has less
 * than we wrote before (flushed, restarted without its last second, or without one of the hashes), so everything must
 * be written again.
 */
export type SaveResult = "saved" | "overtaken" | "lost";

/** Offsets that retention removed before they were processed; `to` is exclusive. */
export interface Missed {
  readonly from: number;
  readonly to: number;
}

export interface LiveStore extends PartitionClaims {
  position(partition: number): Promise<StoredPosition>;
  /**
   * `listener` gets what it keeps with tracks and zones.
   * @returns undefined when nothing is stored.
   */
  load(partition: number, listener?: LiveListener): Promise<LoadedState | undefined>;
  save(save: Save): Promise<SaveResult>;
  /** Stores the gap beside the position. */
  recordMissed(partition: number, missed: Missed): Promise<void>;
  recordLostEnd(partition: number, lostEnd: LostEnd): Promise<void>;
}

const optional = z.string().nullable();
const positionReply = z.array(optional);
const LOST_ENDS = alignedTopics.map((topic) => alignedFields[topic].lostEnd);

/** `now` returns the time that the texts of a save carry. */
export function createLiveStore(redis: RedisClient, namespace: string, now: () => number): LiveStore {
  const keysOf = (partition: number) => partitionKeys(namespace, partition);

  return {
    ...createPartitionClaims(redis, namespace),

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

    load: (partition, listener) => loadState({ redis, partition, keys: keysOf(partition), listener }),

    async save(save) {
      const { partition, changes } = save;
      const fence = fenceOf(save, keysOf(partition));
      const fields = fieldsOf(save);
      const appliedAt = now();
      if ("touched" in changes) {
        const lists = [fields, ...listsOf(changes.touched, appliedAt)].flat();
        return liveScripts.save(redis, { ...fence, fieldCount: fields.length, lists });
      }
      const staged = stagedKeys(namespace, partition, randomUUID());
      const counts = await stage(redis, staged, stampedTexts(changes.everything(), appliedAt));
      return liveScripts.replace(redis, { ...fence, ...stagedArguments(staged, counts), fields });
    },

    async recordMissed(partition, { from, to }) {
      await redis.hset(keysOf(partition).position, { missedFrom: from, missedTo: to });
    },

    async recordLostEnd(partition, { logEnd, outputsEnds }) {
      const fields = alignedTopics.map((topic) => [alignedFields[topic].lostEnd, outputsEnds[topic]] as const);
      await redis.hset(keysOf(partition).position, { lostLogEnd: logEnd, ...Object.fromEntries(fields) });
    },
  };
}

function lostEndOf(logEnd: string, ends: readonly (string | null)[]): LostEnd {
  const outputsEnds = perAligned((topic) => Number(ends[alignedTopics.indexOf(topic)] ?? 0));
  return { logEnd: Number(logEnd), outputsEnds };
}

/** The position that the write replaces must still be the one that its owner knows. */
const fenceOf = ({ expected, next, owner }: Save, keys: PartitionKeys) => ({
  ...keys,
  expected: expected ?? -1,
  next,
  owner: owner.name,
});

function fieldsOf({ owner, ends, geofencesUpTo }: Save): (string | number)[] {
  const ended = alignedTopics.flatMap((topic) => [alignedFields[topic].end, ends[topic]]);
  return ["logId", owner.logId, "settings", owner.settings, "geofences", geofencesUpTo, ...ended];
}

/** Order of the lists in save.lua. */
const inOrder = ["tracks", "sources", "zones", "past"] as const;

function listsOf(touched: Touched, appliedAt: number): (number | readonly string[])[] {
  const stamped = (json: string) => stamp(json, appliedAt);
  return inOrder.flatMap((kind) => argumentsOf(touched[kind], isStamped(kind) ? stamped : undefined));
}

/** Readers show when the texts of tracks and zones were written. */
const isStamped = (kind: keyof Touched): boolean => kind === "tracks" || kind === "zones";

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

function* stampedTexts(texts: Iterable<Text>, appliedAt: number): Generator<Text> {
  for (const text of texts) {
    const [kind, id, json] = text;
    yield isStamped(kind) ? [kind, id, stamp(json, appliedAt)] : text;
  }
}

const stagedArguments = (staged: Record<keyof Touched, string>, counts: Record<keyof Touched, number>) => ({
  stagedTracks: staged.tracks,
  stagedSources: staged.sources,
  stagedZones: staged.zones,
  stagedPast: staged.past,
  tracksCount: counts.tracks,
  sourcesCount: counts.sources,
  zonesCount: counts.zones,
  pastCount: counts.past,
});
