// Reads live state from Redis, as the state machine wrote it. Any instance answers for any partition.
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { ZoneState } from "../../../projections/live/view-types.ts";
import { activeTrackFields, zoneState } from "../../../projections/live/views.ts";
import { type PartitionKeys, partitionKeys } from "../../../schemas/redis-keys.ts";
import { defineScript } from "../../common/redis-script.ts";
import { shareCalls } from "../../common/share-calls.ts";

export interface ReadLive {
  /** The texts of the track: none when no partition has it; one of each partition in which a data source gave a track the id. */
  track(trackId: string): Promise<readonly string[]>;
  /** The zone with the tracks in it, of one moment; undefined when nothing is stored. */
  zone(zoneId: string, partition: number): Promise<ZoneState | undefined>;
}

interface KnownZone {
  readonly saved: string;
  readonly state: ZoneState;
}

interface Reading {
  callers: number;
  /** Begins after the caller has asked, so that nobody gets an older state than there was. */
  readonly read: () => Promise<ZoneState | undefined>;
}

/** A busy partition is saved every few milliseconds, and a zone is read in one; then it is taken as it was read. */
const ATTEMPTS = 5;
/** Of the texts of the zones that are kept in this process, with those of the tracks in them; the answers take as much again. */
const MAX_KEPT_LENGTH = 32 * 1024 * 1024;
/** Redis serves others in between. */
const TRACKS_PER_COMMAND = 500;

/** KEYS: the tracks of each partition. ARGV: the id. */
const FIND_SCRIPT = `
local found = {}
for _, tracks in ipairs(KEYS) do
  local text = redis.call('HGET', tracks, ARGV[1])
  if text then found[#found + 1] = text end
end
return found`;

export function createReadLive(redis: Redis, namespace: string, partitions: number): ReadLive {
  const keys = Array.from({ length: partitions }, (_, partition) => partitionKeys(namespace, partition));
  const everyTracks = keys.map(({ tracks }) => tracks);
  const findTrack = defineScript(redis, partitions, FIND_SCRIPT);

  const known = new LRUCache<string, KnownZone>({ maxSize: MAX_KEPT_LENGTH });
  /** A zone with thousands of tracks is read once for all that ask for it meanwhile. */
  const readings = new Map<string, Reading>();

  /**
   * `savedAs` changes with every save; it is read before the zone and after the tracks. Redis runs the commands of a connection
   * in their order. A pipeline of ioredis would be kept by V8 with all that it holds, as its commands were
   * (young-commands.ts).
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

  async function readState(ofPartition: PartitionKeys, zoneId: string, key: string): Promise<ZoneState | undefined> {
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
  }

  return {
    /**
     * The data source decides the partition, and the caller does not name it: all partitions are asked at once. As one
     * command, because a command costs this process more than Redis.
     */
    track: async (trackId) => foundTexts.parse(await findTrack(...everyTracks, trackId)),

    async zone(zoneId, partition) {
      const ofPartition = keys[partition];
      if (ofPartition === undefined) return undefined;
      // A zone that moves to another partition may meet the same stamp there.
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

/** The same owner has written the same state at the same place of the same log, also when Redis was flushed in between. */
const SAVED = ["saves", "next", "logId", "owner"] as const;

const foundTexts = z.array(z.string());
