// Reads live state from Redis, as the state machine wrote it. Any instance answers for any partition.
import type { ChainableCommander, Redis } from "ioredis";
import { z } from "zod";
import { activeTrackIds } from "../../../projections/live/views.ts";
import { type PartitionKeys, partitionKeys } from "../../../schemas/redis-keys.ts";
import { defineScript } from "../../common/redis-script.ts";

export interface ReadLive {
  /** The texts of the track: none when no partition has it; several when data sources gave tracks the same id. */
  track(trackId: string): Promise<readonly string[]>;
  /** The zone's text and those of the tracks in it, of one moment; undefined when nothing is stored. */
  zone(zoneId: string, partition: number): Promise<ZoneTexts | undefined>;
}

export interface ZoneTexts {
  readonly zone: string;
  /** null = has left meanwhile. */
  readonly tracks: readonly (string | null)[];
}

/** A busy partition is saved every few milliseconds, and a zone is read in one; then it is taken as it was read. */
const ATTEMPTS = 5;
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
  const findTrack = defineScript(redis, "findTrack", partitions, FIND_SCRIPT);

  /** `saves` changes with every save; it is read before the zone and after the tracks. */
  async function readZone({ position, zones }: PartitionKeys, zoneId: string) {
    const [saves, zone] = await repliesOf(redis.pipeline().hget(position, "saves").hget(zones, zoneId), oneText);
    return { saves, zone };
  }

  async function readTracks({ position, tracks }: PartitionKeys, ids: readonly string[]) {
    const commands = redis.pipeline();
    for (let at = 0; at < ids.length; at += TRACKS_PER_COMMAND) {
      commands.hmget(tracks, ...ids.slice(at, at + TRACKS_PER_COMMAND));
    }
    const replies = await repliesOf(commands.hmget(position, "saves"), manyTexts);
    return { saves: replies.pop()?.[0], texts: replies.flat() };
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
      for (let attempt = 1; ; attempt++) {
        const { saves, zone } = await readZone(ofPartition, zoneId);
        if (zone == null) return undefined;
        const tracks = await readTracks(ofPartition, activeTrackIds(zone));
        if (tracks.saves === saves || attempt === ATTEMPTS) return { zone, tracks: tracks.texts };
      }
    },
  };
}

const oneText = z.string().nullable();
const manyTexts = z.array(oneText);
const foundTexts = z.array(z.string());

async function repliesOf<T extends z.ZodType>(commands: ChainableCommander, schema: T): Promise<z.output<T>[]> {
  const replies = (await commands.exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error !== null) throw error;
    return schema.parse(reply);
  });
}
