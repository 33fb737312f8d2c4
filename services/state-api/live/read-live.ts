// Reads live state from Redis, as the state machine wrote it. Any instance answers for any partition.
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { KEPT_ENTRIES } from "../../../projections/live/past.ts";
import type { ZoneState } from "../../../projections/live/view-types.ts";
import { activeTrackFields, type TrackTexts, zoneState } from "../../../projections/live/views.ts";
import { type PartitionKeys, partitionKeys } from "../../../schemas/redis-keys.ts";
import { defineScript } from "../../common/redis-script.ts";
import { shareCalls } from "../../common/share-calls.ts";

export interface ReadLive {
  /** The texts of the track: none when no partition has it; one of each partition in which a data source gave a track the id. */
  track(trackId: string): Promise<readonly TrackTexts[]>;
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

/**
 * KEYS: tracks and past of each partition. ARGV: the id, how many entries of each kind are kept. Returns the text of each found track
 * with those of its past (projections/live/past.ts). The text of an earlier version has its past itself.
 */
const FIND_SCRIPT = `
local found = {}
for at = 1, #KEYS, 2 do
  local text = redis.call('HGET', KEYS[at], ARGV[1])
  if text then
    local past = {}
    local track = string.find(text, '"past":{', 1, true) and cjson.decode(text) or {}
    for kind, count in pairs(track.past or {}) do
      local fields = {}
      for place = 0, math.min(count, tonumber(ARGV[2])) - 1 do
        fields[place + 1] = kind .. ' ' .. place .. ' ' .. track.dataSourceId .. '\\0' .. track.trackId
      end
      if #fields > 0 then
        for _, entry in ipairs(redis.call('HMGET', KEYS[at + 1], unpack(fields))) do past[#past + 1] = entry end
      end
    end
    found[#found + 1] = {text, past}
  end
end
return found`;

export function createReadLive(redis: Redis, namespace: string, partitions: number): ReadLive {
  const keys = Array.from({ length: partitions }, (_, partition) => partitionKeys(namespace, partition));
  const everyTracks = keys.flatMap(({ tracks, past }) => [tracks, past]);
  const findTrack = defineScript(redis, 2 * partitions, FIND_SCRIPT);

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
    async track(trackId) {
      const found = foundTexts.parse(await findTrack(...everyTracks, trackId, KEPT_ENTRIES));
      return found.map(([text, past]) => ({ text, past }));
    },

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

const foundTexts = z.array(z.tuple([z.string(), z.array(z.string())]));
