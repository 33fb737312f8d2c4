// From a track id to what is known of the track, above all its data source: memory, then the entry in Redis that the
// creating instance wrote, then the history.
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import type { TrackRecord } from "../../projections/history/queries/records.ts";
import { trackRoutingKey } from "../../schemas/redis-keys.ts";
import { messageOf, unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";

export type TrackHeader = Omit<TrackRecord, "firstDetectionAt" | "lastDetectionAt">;

export interface TrackRouting {
  /** From memory only: the hot path. */
  known(trackId: string): TrackHeader | undefined;
  /** From memory or the shared entry, which lives for a day after the last write; never from the history. */
  recent(trackId: string): Promise<TrackHeader | undefined>;
  /** Unknown tracks are left out. Rejects with UNAVAILABLE when a store that might know is away. */
  find(trackIds: readonly string[]): Promise<ReadonlyMap<string, TrackHeader>>;
  /**
   * The same, but a track is only left out when the log did not have it either when it was asked for: the shared entry may
   * have been flushed, and the history comes a moment later.
   */
  findForSure(trackIds: readonly string[]): Promise<ReadonlyMap<string, TrackHeader>>;
  /** Resolves when the entry is shared; a Redis that is away is no reason to fail, the log has the track. */
  remember(header: TrackHeader): Promise<void>;
}

export interface TrackRoutingOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly history: (trackIds: readonly string[]) => Promise<readonly TrackRecord[]>;
  /** Resolves when the history holds all that stood in the log when it was asked; rejects with UNAVAILABLE. */
  readonly historyComplete: () => Promise<void>;
  readonly log: Log;
  readonly maxTracks: number;
  readonly ttlSeconds: number;
}

const RETRY_AFTER_MS = 1_000;

export function createTrackRouting(options: TrackRoutingOptions): TrackRouting {
  const { redis, namespace, log } = options;
  const cache = new LRUCache<string, TrackHeader>({ max: options.maxTracks });

  async function fromRedis(ids: readonly string[]): Promise<readonly TrackHeader[] | "away"> {
    try {
      const texts = await redis.mget(ids.map((id) => trackRoutingKey(namespace, id)));
      return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as TrackHeader]));
    } catch (error) {
      log.warn({ err: messageOf(error) }, "track routing: redis is away");
      return "away";
    }
  }

  async function fromHistory(ids: readonly string[], redisAway: boolean): Promise<readonly TrackHeader[]> {
    try {
      const found = await options.history(ids);
      // A track created a moment ago may be in Redis only.
      if (redisAway && found.length < ids.length) throw unavailable("tracks cannot be looked up now", RETRY_AFTER_MS);
      return found;
    } catch (error) {
      throw unavailable("tracks cannot be looked up now", RETRY_AFTER_MS, error);
    }
  }

  async function find(trackIds: readonly string[]): Promise<Map<string, TrackHeader>> {
    const found = new Map<string, TrackHeader>();
    for (const id of trackIds) {
      const header = cache.get(id);
      if (header !== undefined) found.set(id, header);
    }
    if (missing(found, trackIds).length === 0) return found;
    const shared = await fromRedis(missing(found, trackIds));
    if (shared !== "away") add(found, shared);
    const unshared = missing(found, trackIds);
    if (unshared.length > 0) add(found, await fromHistory(unshared, shared === "away"));
    return found;
  }

  function add(found: Map<string, TrackHeader>, headers: readonly TrackHeader[]): void {
    for (const header of headers) {
      found.set(header.trackId, header);
      cache.set(header.trackId, header);
    }
  }

  return {
    find,
    known: (trackId) => cache.get(trackId),

    async findForSure(trackIds) {
      const found = await find(trackIds);
      if (missing(found, trackIds).length === 0) return found;
      await options.historyComplete();
      add(found, await fromHistory(missing(found, trackIds), false));
      return found;
    },

    async recent(trackId) {
      const known = cache.get(trackId);
      if (known !== undefined) return known;
      const shared = await fromRedis([trackId]);
      return shared === "away" ? undefined : shared[0];
    },

    async remember(header) {
      cache.set(header.trackId, header);
      try {
        const key = trackRoutingKey(namespace, header.trackId);
        await redis.set(key, JSON.stringify(header), "EX", options.ttlSeconds);
      } catch (error) {
        log.warn({ err: messageOf(error) }, "track routing: redis is away");
      }
    },
  };
}

const missing = (found: ReadonlyMap<string, unknown>, trackIds: readonly string[]): string[] =>
  trackIds.filter((id) => !found.has(id));
