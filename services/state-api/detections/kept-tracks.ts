// Keeps answers about ended tracks in Redis, bounded by time, number and size. Only requests that may see the same
// tracks share cached answers.
import { z } from "zod";
import type { Spot } from "../../../projections/snapshot/spot.ts";
import { keptTracksKeys } from "../../../schemas/redis-keys.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { redisScript } from "../../common/redis/script.ts";
import type { RecordedTrack } from "./recorded-track.ts";

export interface KeptTrack extends RecordedTrack {
  /** Mark of the track in live state at the time of the answer; null when live state did not know the track. */
  readonly mark: string | null;
  /**
   * True when the history had time to receive all detections. Otherwise the kept track is an answer only while the
   * server is unavailable.
   */
  readonly isSettled: boolean;
}

export interface KeptTracks {
  /** Reads the kept tracks among these ids. */
  read(scope: string, trackIds: readonly string[]): Promise<Map<string, KeptTrack>>;
  write(scope: string, tracks: readonly KeptTrack[]): Promise<void>;
}

export interface KeptTracksOptions {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly ttlSeconds: number;
  readonly maxTracks: number;
}

/** A longer text is not kept, so its track is requested each time. */
const MAX_BYTES = 256 * 1024;

const keepTrack = redisScript(new URL("keep-track.lua", import.meta.url), {
  keys: ["track", "index"],
  arguments: ["text", "ttlMs", "maxTracks"],
  reply: z.string(),
});

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
      const bounds = { index: keys.index, ttlMs: ttlSeconds * 1_000, maxTracks };
      const texts = tracks.map((track) => ({ track: keys.track(scope, track.trackId), text: store(track) }));
      const kept = texts.filter(({ text }) => Buffer.byteLength(text) <= MAX_BYTES);
      await Promise.all(kept.map((each) => keepTrack(redis, { ...each, ...bounds })));
    },
  };
}

/** A spot as numbers: time, box, longitude and latitude, time of the log; null for a missing value. */
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
