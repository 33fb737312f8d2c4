// Looks up the tracks that the memory of the feed needs before it can fold events.
import { LRUCache } from "lru-cache";
import type { LogMessage, TracksToFind } from "../../../projections/feed/kind.ts";
import { standInFor } from "../../../projections/feed/remembered-track.ts";
import { rememberTrack, type TrackMemory } from "../../../projections/feed/track-memory.ts";
import type { TrackRef } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import type { RecordedTrackRef } from "../../../projections/history/queries/tracks.ts";
import type { TrackHeader } from "../../../projections/track/header.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { withTimeout } from "../../common/with-timeout.ts";

export interface TrackLookUpDeps {
  readonly log: Log;
  /** Leaves out unknown tracks. */
  readonly findTracks: (refs: readonly TrackRef[]) => Promise<readonly TrackHeader[]>;
  /** The result contains only tracks of which the history has a message from before `recordedAt`. */
  readonly findTracksBefore: (refs: readonly RecordedTrackRef[]) => Promise<readonly TrackHeader[]>;
}

/** Resolves when the memory has all that is known of the wanted tracks. `messages` are those of the events. */
export type TrackLookUp = (wanted: TracksToFind, messages: readonly Pick<LogMessage, "timestamp">[]) => Promise<void>;

/** Milliseconds for which the feed does not look up again a track that was not found. */
const UNFOUND_MS = 5_000;
const UNFOUND_TRACKS = 10_000;
/**
 * Milliseconds after which the feed continues without an answer of the store, so that an unavailable store does not
 * delay it. Clients then see only the part of the track that the log has shown.
 */
const TIMEOUT_MS = 2_000;
/** Milliseconds for which the feed does not look up created tracks after the history has failed to answer. */
const AWAY_MS = 5_000;

export function createTrackLookUp(
  memory: TrackMemory,
  { findTracks, findTracksBefore, log }: TrackLookUpDeps,
): TrackLookUp {
  const unfound = new LRUCache<string, true>({ max: UNFOUND_TRACKS, ttl: UNFOUND_MS });
  let awayUntil = Number.NEGATIVE_INFINITY;

  async function findHeaders(wanted: readonly TrackRef[]): Promise<void> {
    const refs = wanted.filter((ref) => !unfound.has(trackKeyOf(ref)));
    if (refs.length === 0) return;
    let found: readonly TrackHeader[] = [];
    try {
      found = await withTimeout(findTracks(refs), TIMEOUT_MS);
    } catch (error) {
      log.warn({ err: messageOf(error), tracks: refs.length }, "feed: tracks cannot be looked up");
    }
    for (const track of found) rememberTrack(memory, track);
    const keys = new Set(found.map(trackKeyOf));
    for (const ref of refs) if (!keys.has(trackKeyOf(ref))) unfound.set(trackKeyOf(ref), true);
  }

  async function findCreated(refs: readonly RecordedTrackRef[]): Promise<void> {
    if (refs.length === 0) return;
    const found = await askBefore(refs);
    if (found !== "away") for (const track of found) rememberTrack(memory, track);
    // The history is unavailable: a created track may be an older one that has earlier positions and detections.
    else for (const ref of refs) memory.set(standInFor({ ...ref, startTime: ref.recordedAt }));
  }

  async function askBefore(refs: readonly RecordedTrackRef[]): Promise<readonly TrackHeader[] | "away"> {
    if (performance.now() < awayUntil) return "away";
    try {
      return await withTimeout(findTracksBefore(refs), TIMEOUT_MS);
    } catch (error) {
      awayUntil = performance.now() + AWAY_MS;
      log.warn({ err: messageOf(error), tracks: refs.length }, "feed: created tracks cannot be looked up");
      return "away";
    }
  }

  return async ({ headers, created }, messages) => {
    const asked = created.map(({ trackId, dataSourceId, at }) => {
      const recordedAt = Number(messages[at]?.timestamp);
      return { trackId, dataSourceId, recordedAt };
    });
    await Promise.all([findHeaders(headers), findCreated(asked)]);
  };
}
