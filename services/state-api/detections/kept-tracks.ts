// Keeps what was asked about ended tracks in Redis, bounded by time, number and size. A scope says who may read it.
import type { Redis } from "ioredis";
import type { Spot } from "../../../projections/snapshot/spot.ts";
import { keptTracksKeys } from "../../../schemas/redis-keys.ts";
import type { RecordedTrack } from "./recorded-track.ts";

export interface KeptTrack extends RecordedTrack {
  /** What live state knew of the track when it was asked for; null = nothing. */
  readonly mark: string | null;
  /** The history had time to hear all about the detections. If not, the track only counts when the server is away. */
  readonly isSettled: boolean;
}

export interface KeptTracks {
  /** Of the ids that are there. */
  read(scope: string, trackIds: readonly string[]): Promise<Map<string, KeptTrack>>;
  write(scope: string, tracks: readonly KeptTrack[]): Promise<void>;
}

export interface KeptTracksOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly ttlSeconds: number;
  readonly maxTracks: number;
}

/** A track with more is asked for each time. */
const MAX_BYTES = 256 * 1024;

/** KEYS: the track, the index. ARGV: text, ttl in ms, most tracks. The oldest go first. */
const WRITE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], now, KEYS[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2])
local over = redis.call('ZCARD', KEYS[2]) - ARGV[3]
if over > 0 then
  local gone = redis.call('ZPOPMIN', KEYS[2], over)
  for at = 1, #gone, 2 do redis.call('UNLINK', gone[at]) end
end
`;

export function createKeptTracks({ redis, namespace, ttlSeconds, maxTracks }: KeptTracksOptions): KeptTracks {
  const keys = keptTracksKeys(namespace);
  return {
    async read(scope, trackIds) {
      if (trackIds.length === 0) return new Map();
      const texts = await redis.mget(trackIds.map((trackId) => keys.track(scope, trackId)));
      const tracks = texts.flatMap((text) => (text === null ? [] : [parse(text)]));
      return new Map(tracks.map((track) => [track.trackId, track]));
    },
    async write(scope, tracks) {
      const pipeline = redis.pipeline();
      for (const track of tracks) {
        const text = store(track);
        if (Buffer.byteLength(text) > MAX_BYTES) continue;
        const key = keys.track(scope, track.trackId);
        pipeline.eval(WRITE_SCRIPT, 2, key, keys.index, text, ttlSeconds * 1_000, maxTracks);
      }
      for (const [error] of (await pipeline.exec()) ?? []) if (error !== null) throw error;
    },
  };
}

/** A spot as numbers: time, box, longitude and latitude, time of the log; null where there is none. */
type Numbers = readonly (number | null)[];

type Stored = Omit<KeptTrack, "spots"> & { readonly spots: readonly Numbers[] };

const store = (track: KeptTrack): string => {
  const stored: Stored = { ...track, spots: track.spots.map(numbersOf) };
  return JSON.stringify(stored);
};

const parse = (text: string): KeptTrack => {
  const stored: Stored = JSON.parse(text);
  return { ...stored, spots: stored.spots.map(spotOf) };
};

const numbersOf = ({ at, box, place, recordedAt }: Spot): Numbers => [
  at,
  ...(box === null ? [null, null, null, null] : [box.minX, box.minY, box.maxX, box.maxY]),
  ...(place === null ? [null, null] : [place.longitude, place.latitude]),
  recordedAt,
];

function spotOf([at, minX, minY, maxX, maxY, longitude, latitude, recordedAt]: Numbers): Spot {
  return {
    at: at ?? 0,
    box: minX == null || minY == null || maxX == null || maxY == null ? null : { minX, minY, maxX, maxY },
    place: longitude == null || latitude == null ? null : { longitude, latitude },
    recordedAt: recordedAt ?? null,
  };
}
