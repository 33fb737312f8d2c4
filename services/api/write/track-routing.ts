// Finds the header of a track by its id, above all its data source: in memory, then in the entry in Redis that the
// instances share, then in the history. Where direct producers gave several tracks the id, memory and Redis have one of
// them, and the history answers with the one seen last.
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import type { TrackRef } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { headerCharacters, MEAN_CHARACTERS, type TrackHeader } from "../../../projections/track/header.ts";
import { messageOf, unavailable } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { createKnownTracks } from "./known-tracks.ts";
import { createdAt, createSharedHeaders, type HeaderField, updatedAt, type VersionOf } from "./shared-headers.ts";

export type { HeaderField } from "./shared-headers.ts";

export interface TrackRouting {
  /** From memory only: the hot path. Another instance may have changed everything but the data source since. */
  known(trackId: string): TrackHeader | undefined;
  /** The track with this id, as far as a store says so in time: a creation must not fail because one is away. */
  ifKnown(trackId: string): Promise<TrackHeader | undefined>;
  /** Leaves out unknown tracks. Rejects with UNAVAILABLE when a store that may know them is away. */
  find(trackIds: readonly string[]): Promise<ReadonlyMap<string, TrackHeader>>;
  /** The same for tracks whose data sources are known. */
  findOf(refs: readonly TrackRef[]): Promise<readonly TrackHeader[]>;
  /**
   * The same, but it leaves out only tracks that were not in the log when it was called: the shared entry may have been
   * flushed, and the history lags behind the log.
   */
  findForSure(trackIds: readonly string[]): Promise<ReadonlyMap<string, TrackHeader>>;
  /**
   * For tracks that begin, as far as this instance knows, after the given instants: asks the shared entry, then the
   * history once it has all that was in the log by then. Only this answer may refuse an instant.
   */
  askAgain(instants: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, TrackHeader>>;
  /**
   * The log has this creation at the offset. Resolves with the present header, which differs after an earlier creation
   * or an update. It does not fail when Redis is away, because the log has the track.
   */
  created(header: TrackHeader, offset: number): Promise<TrackHeader>;
  /** The same for an update of these fields; `header` is the track after it, as far as this instance knows. */
  updated(header: TrackHeader, changed: ReadonlySet<HeaderField>, offset: number): Promise<TrackHeader>;
}

export interface TrackRoutingOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly history: (trackIds: readonly string[]) => Promise<readonly TrackHeader[]>;
  readonly historyOf: (refs: readonly TrackRef[]) => Promise<readonly TrackHeader[]>;
  /** Resolves when the history has all that was in the log at the call; rejects with UNAVAILABLE. */
  readonly historyComplete: () => Promise<void>;
  readonly log: Log;
  readonly maxTracks: number;
  readonly ttlSeconds: number;
}

const RETRY_AFTER_MS = 1_000;

export function createTrackRouting(options: TrackRoutingOptions): TrackRouting {
  const { redis, namespace, log } = options;
  const cache = new LRUCache<string, TrackHeader>({
    max: options.maxTracks,
    // Headers are small, but callers may give them metadata and properties of 64 KiB each.
    maxSize: options.maxTracks * MEAN_CHARACTERS,
    sizeCalculation: headerCharacters,
  });
  const recorded = createKnownTracks(options);
  const entries = createSharedHeaders(redis, namespace, options.ttlSeconds);

  async function fromRedis(ids: readonly string[]): Promise<readonly TrackHeader[] | "away"> {
    try {
      return await entries.read(ids);
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

  async function share(header: TrackHeader, versionOf: VersionOf): Promise<TrackHeader | undefined> {
    try {
      return await entries.write(header, versionOf);
    } catch (error) {
      log.warn({ err: messageOf(error) }, "track routing: redis is away");
      return undefined;
    }
  }

  function keep(header: TrackHeader): TrackHeader {
    cache.set(header.trackId, header);
    return header;
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

    async askAgain(instants) {
      const found = new Map<string, TrackHeader>();
      const shared = await fromRedis([...instants.keys()]);
      if (shared !== "away") add(found, shared);
      const later = [...instants].filter(([id, instant]) => (found.get(id)?.startTime ?? Infinity) > instant);
      if (later.length === 0) return found;
      await options.historyComplete();
      add(
        found,
        await fromHistory(
          later.map(([id]) => id),
          false,
        ),
      );
      return found;
    },

    async findOf(refs) {
      const isAsked = (header: TrackHeader) => asked.has(trackKeyOf(header));
      const asked = new Set(refs.map(trackKeyOf));
      const known = refs.flatMap(({ trackId }) => cache.get(trackId) ?? []).filter(isAsked);
      const found = new Map(known.map((header) => [trackKeyOf(header), header]));
      const others = () => refs.filter((ref) => !found.has(trackKeyOf(ref)));
      if (others().length === 0) return known;
      const shared = await fromRedis(others().map(({ trackId }) => trackId));
      for (const header of shared === "away" ? [] : shared.filter(isAsked)) found.set(trackKeyOf(header), header);
      const unshared = others();
      for (const header of unshared.length === 0 ? [] : await options.historyOf(unshared)) {
        found.set(trackKeyOf(header), header);
      }
      for (const header of found.values()) if (!cache.has(header.trackId)) cache.set(header.trackId, header);
      return [...found.values()];
    },

    async ifKnown(trackId) {
      const known = cache.get(trackId);
      if (known !== undefined) return known;
      const shared = await fromRedis([trackId]);
      const [header] = shared === "away" ? [] : shared;
      return header ?? recorded.find(trackId);
    },

    async created(header, offset) {
      return keep((await share(header, createdAt(offset))) ?? cache.get(header.trackId) ?? header);
    },

    async updated(header, changed, offset) {
      return keep((await share(header, updatedAt(offset, changed))) ?? header);
    },
  };
}

const missing = (found: ReadonlyMap<string, unknown>, trackIds: readonly string[]): string[] =>
  trackIds.filter((id) => !found.has(id));
