// Finds the header of a track by its id, above all its data source: in memory, then in the entry in Redis that the
// instances share, then in the history. If direct producers gave several tracks the same id, memory and Redis have one
// of them, and the history answers with the one seen last.
import type { TrackRef } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import type { TrackHeader } from "../../../projections/track/header.ts";
import type { Log } from "../../common/log.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { createHeaderMemory, type HeaderMemory } from "./header-memory.ts";
import { createKnownTracks } from "./known-tracks.ts";
import { createdAt, createSharedHeaders, type HeaderField, updatedAt } from "./shared-headers.ts";
import { createTrackSources, type TrackSources } from "./track-sources.ts";

export type { HeaderField } from "./shared-headers.ts";

export interface TrackRouting {
  /** Reads memory only, for the hot path. Another instance may have changed everything but the data source since. */
  known(trackId: string): TrackHeader | undefined;
  /**
   * Resolves with the track with this id, if a store has it and answers in time: a creation must not fail because a
   * store is unavailable.
   */
  ifKnown(trackId: string): Promise<TrackHeader | undefined>;
  /** Leaves out unknown tracks. Rejects with UNAVAILABLE when a store that may have them is unavailable. */
  find(trackIds: readonly string[]): Promise<ReadonlyMap<string, TrackHeader>>;
  /** The same for tracks whose data sources are known. */
  findOf(refs: readonly TrackRef[]): Promise<readonly TrackHeader[]>;
  /**
   * The same, but the result lacks only tracks that were not in the log at the call: the shared entry may have been
   * flushed, and the history lags behind the log.
   */
  findForSure(trackIds: readonly string[]): Promise<ReadonlyMap<string, TrackHeader>>;
  /**
   * Reads again the tracks that, as far as this instance knows, begin after the given instants: first the shared entry,
   * then the history once it has everything that was in the log by then. Only this answer may refuse an instant.
   */
  askAgain(instants: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, TrackHeader>>;
  /**
   * Must be called when the log has this creation at the offset. Resolves with the present header, which differs after
   * an earlier creation or an update. It does not fail when Redis is unavailable, because the log has the track.
   */
  created(header: TrackHeader, offset: number): Promise<TrackHeader>;
  /** The same for an update of these fields; `header` is the track after it, according to this instance. */
  updated(header: TrackHeader, changed: ReadonlySet<HeaderField>, offset: number): Promise<TrackHeader>;
}

export interface TrackRoutingOptions {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly history: (trackIds: readonly string[]) => Promise<readonly TrackHeader[]>;
  readonly historyOf: (refs: readonly TrackRef[]) => Promise<readonly TrackHeader[]>;
  /** Resolves when the history has everything that was in the log at the call; rejects with UNAVAILABLE. */
  readonly historyComplete: () => Promise<void>;
  readonly log: Log;
  readonly maxTracks: number;
  readonly ttlSeconds: number;
}

export function createTrackRouting(options: TrackRoutingOptions): TrackRouting {
  const { redis, namespace, history, historyComplete, log } = options;
  const memory = createHeaderMemory(options.maxTracks);
  const recorded = createKnownTracks(options);
  const entries = createSharedHeaders(redis, namespace, options.ttlSeconds);
  const sources = createTrackSources({ entries, history, log });

  return {
    find: (trackIds) => findByIds(trackIds, memory, sources),
    findOf: (refs) => findByRefs(refs, memory, sources, options.historyOf),
    known: memory.get,

    async findForSure(trackIds) {
      const found = await findByIds(trackIds, memory, sources);
      if (missing(found, trackIds).length === 0) return found;
      await historyComplete();
      addKept(found, memory, await sources.stored(missing(found, trackIds), false));
      return found;
    },

    async askAgain(instants) {
      const found = new Map<string, TrackHeader>();
      const shared = await sources.shared([...instants.keys()]);
      if (shared !== "away") addKept(found, memory, shared);
      const later = [...instants].filter(([id, instant]) => (found.get(id)?.startTime ?? Infinity) > instant);
      if (later.length === 0) return found;
      await historyComplete();
      const ids = later.map(([id]) => id);
      addKept(found, memory, await sources.stored(ids, false));
      return found;
    },

    async ifKnown(trackId) {
      const known = memory.get(trackId);
      if (known !== undefined) return known;
      const shared = await sources.shared([trackId]);
      const [header] = shared === "away" ? [] : shared;
      return header ?? recorded.find(trackId);
    },

    async created(header, offset) {
      const shared = await sources.share(header, createdAt(offset));
      return memory.keep(shared ?? memory.get(header.trackId) ?? header);
    },

    async updated(header, changed, offset) {
      return memory.keep((await sources.share(header, updatedAt(offset, changed))) ?? header);
    },
  };
}

async function findByIds(
  trackIds: readonly string[],
  memory: HeaderMemory,
  sources: TrackSources,
): Promise<Map<string, TrackHeader>> {
  const found = new Map<string, TrackHeader>();
  for (const id of trackIds) {
    const header = memory.get(id);
    if (header !== undefined) found.set(id, header);
  }
  if (missing(found, trackIds).length === 0) return found;
  const shared = await sources.shared(missing(found, trackIds));
  if (shared !== "away") addKept(found, memory, shared);
  const unshared = missing(found, trackIds);
  if (unshared.length > 0) addKept(found, memory, await sources.stored(unshared, shared === "away"));
  return found;
}

const missing = (found: ReadonlyMap<string, unknown>, trackIds: readonly string[]): string[] =>
  trackIds.filter((id) => !found.has(id));

function addKept(found: Map<string, TrackHeader>, memory: HeaderMemory, headers: readonly TrackHeader[]): void {
  for (const header of headers) found.set(header.trackId, memory.keep(header));
}

async function findByRefs(
  refs: readonly TrackRef[],
  memory: HeaderMemory,
  sources: TrackSources,
  historyOf: TrackRoutingOptions["historyOf"],
): Promise<readonly TrackHeader[]> {
  const asked = new Set(refs.map(trackKeyOf));
  const found = new Map<string, TrackHeader>();
  const take = (header: TrackHeader | undefined) => {
    if (header !== undefined && asked.has(trackKeyOf(header))) found.set(trackKeyOf(header), header);
  };
  const others = () => refs.filter((ref) => !found.has(trackKeyOf(ref)));
  for (const header of refs.flatMap(memory.candidates)) take(header);
  if (others().length === 0) return [...found.values()];
  const shared = await sources.shared(others().map(({ trackId }) => trackId));
  for (const header of shared === "away" ? [] : shared) take(header);
  const unshared = others();
  if (unshared.length > 0) for (const header of await historyOf(unshared)) take(header);
  for (const header of found.values()) memory.keepOfRef(header);
  return [...found.values()];
}
