// Reads live state from Redis in the form that the state machine wrote. Any instance answers for any partition.
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { KEPT_ENTRIES } from "../../../projections/live/past.ts";
import type { ZoneState } from "../../../projections/live/view-types.ts";
import { activeTrackFields, type TrackTexts, zoneState } from "../../../projections/live/views.ts";
import { type PartitionKeys, partitionKeys } from "../../../schemas/redis-keys.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { askGroups, commandGroups } from "../../common/redis/cluster.ts";
import { redisScript } from "../../common/redis/script.ts";
import { shareCalls } from "../../common/share-calls.ts";

export interface ReadLive {
  /**
   * Resolves with the texts of the track from each partition that has it: several, when data sources have used the same
   * id.
   */
  track(trackId: string): Promise<readonly TrackTexts[]>;
  /**
   * Resolves with the zone and its tracks at one moment.
   * @returns undefined when nothing is stored.
   */
  zone(zoneId: string, partition: number): Promise<ZoneState | undefined>;
}

interface KnownZone {
  readonly saved: string;
  readonly state: ZoneState;
}

interface Reading {
  callers: number;
  /** Begins to read after the call, so that no caller gets a state older than its request. */
  readonly read: () => Promise<ZoneState | undefined>;
}

/**
 * Attempts to read a zone without a save in between. A busy partition is saved every few milliseconds, and reading a
 * zone takes about one. The result of the last attempt counts in any case.
 */
const ATTEMPTS = 5;
/** Characters of the kept zones in this process, with those of their tracks; the answers take as much again. */
const MAX_KEPT_LENGTH = 32 * 1024 * 1024;
/** The tracks of a zone are read in commands of this size, so that Redis serves other clients in between. */
const TRACKS_PER_COMMAND = 500;

const findTrack = redisScript(new URL("find-track.lua", import.meta.url), {
  keys: ["partitions..."],
  arguments: ["trackId", "maxEntries"],
  reply: z.array(z.tuple([z.string(), z.array(z.string())])),
});

export function createReadLive(redis: RedisClient, namespace: string, partitions: number): ReadLive {
  const keys = Array.from({ length: partitions }, (_, partition) => partitionKeys(namespace, partition));
  const groups = commandGroups(redis, keys).map((group) => group.flatMap(({ tracks, past }) => [tracks, past]));
  const readState = createReadState(redis);
  /** Simultaneous callers of a zone share one reading, because a zone may have thousands of tracks. */
  const readings = new Map<string, Reading>();

  return {
    /**
     * The data source decides the partition, and the caller does not name it: all partitions are read at once. One
     * command is used where it can be, because a command costs this process more than Redis.
     */
    async track(trackId) {
      const found = await askGroups(groups, (partitions) =>
        findTrack(redis, { partitions, trackId, maxEntries: KEPT_ENTRIES }),
      );
      return found.map(([text, past]) => ({ text, past }));
    },

    async zone(zoneId, partition) {
      const ofPartition = keys[partition];
      if (ofPartition === undefined) return undefined;
      // A zone that moves to another partition may find the same stamp there.
      const key = `${partition} ${zoneId}`;
      const reading = readings.get(key) ?? { callers: 0, read: shareCalls(() => readState(ofPartition, zoneId, key)) };
      readings.set(key, reading);
      reading.callers += 1;
      try {
        return await reading.read();
      } finally {
        reading.callers -= 1;
        if (reading.callers === 0) readings.delete(key);
      }
    },
  };
}

/** Reads the state of a zone; an unchanged one is the same object again. */
function createReadState(redis: RedisClient) {
  const known = new LRUCache<string, KnownZone>({ maxSize: MAX_KEPT_LENGTH });

  /**
   * `savedAs` changes with every save; it is read before the zone and after the tracks. Redis runs the commands of a
   * connection in order, so no pipeline is needed. V8 would keep a pipeline of ioredis in memory with all that it
   * holds, as it kept the commands (young-commands.ts).
   */
  const savedAs = async (position: string): Promise<string> => (await redis.hmget(position, ...SAVED)).join();

  async function readZone({ position, zones }: PartitionKeys, zoneId: string) {
    const [saved, zone] = await Promise.all([savedAs(position), redis.hget(zones, zoneId)]);
    return { saved, zone };
  }

  async function readTracks({ position, tracks }: PartitionKeys, fields: readonly string[]) {
    const asked: Promise<(string | null)[]>[] = [];
    for (let at = 0; at < fields.length; at += TRACKS_PER_COMMAND) {
      asked.push(redis.hmget(tracks, ...fields.slice(at, at + TRACKS_PER_COMMAND)));
    }
    const [texts, saved] = await Promise.all([Promise.all(asked), savedAs(position)]);
    return { saved, texts: texts.flat() };
  }

  return async (ofPartition: PartitionKeys, zoneId: string, key: string): Promise<ZoneState | undefined> => {
    const last = known.get(key);
    // Most of the time nothing has changed.
    if (last !== undefined && last.saved === (await savedAs(ofPartition.position))) return last.state;
    for (let attempt = 1; ; attempt++) {
      const { saved, zone } = await readZone(ofPartition, zoneId);
      if (zone === null) return undefined;
      const { saved: savedAfter, texts } = await readTracks(ofPartition, activeTrackFields(zone));
      if (savedAfter !== saved && attempt < ATTEMPTS) continue;
      const state = zoneState(zone, texts);
      const size = texts.reduce((length, text) => length + (text?.length ?? 0), zone.length);
      if (savedAfter === saved) known.set(key, { saved, state }, { size });
      return state;
    }
  };
}

/**
 * The same values mean that the same owner has written the same state at the same place of the same log, even when
 * Redis was flushed in between.
 */
const SAVED = ["saves", "next", "logId", "owner"] as const;
