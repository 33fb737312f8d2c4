// Folds the log up to a moment, for the live state at that moment. Its texts are those that the state machine would
// have stored, except the time at which it stored them.
import type { CameraLogEvent, ZoneVersion } from "../../schemas/events.ts";
import { isKnown } from "../live/known.ts";
import {
  apply,
  applyInSteps,
  applyTime,
  clearTouched,
  countTouched,
  createPartition,
  dueExpiries,
  emptyLists,
  type LiveSettings,
  noOutputs,
  takeEndsOfForgotten,
} from "../live/partition.ts";
import { pastTexts } from "../live/past.ts";
import { storeTrack, storeZone } from "../live/stored.ts";
import type { RecordedEvent } from "../live/types.ts";
import type { ZoneState } from "../live/view-types.ts";
import { type TrackTexts, zoneState } from "../live/views.ts";
import { putZones } from "../live/zones-at.ts";

/** A message of the partition. It is undefined when it concerns another data source: only its time counts then. */
export interface TimedEvent extends Pick<RecordedEvent, "offset" | "recordedAt"> {
  readonly message: CameraLogEvent | undefined;
}

/** The newest entry or exit before the fold begins. */
export interface EarlierVisit {
  readonly trackId: string;
  readonly tag: string;
  /** Event time, ms. */
  readonly lastAt: number;
}

export interface MomentFold {
  /** The caller runs the steps, with pauses in between. */
  fold(recorded: TimedEvent): Generator<void, void>;
  /** Must be called before the first message. A zone that has no visit yet at the beginning gets this one. */
  visited(zoneId: string, visit: EarlierVisit): void;
  /** Ends the tracks that have been silent for too long at `at` (ms), for a log without the ends of tracks. */
  endSilent(at: number): void;
  /** Number of tracks in memory. */
  trackCount(): number;
  track(dataSourceId: string, trackId: string): TrackTexts | undefined;
  /** @returns undefined when there is no such zone. */
  zone(zoneId: string): ZoneState | undefined;
}

/** The number of changed texts above which the changes are cleared. Nobody stores them. */
const MOST_TOUCHED = 1_000;

/** `zones` are the versions of the zones at the beginning of the fold. */
export function createMomentFold(partition: number, zones: readonly ZoneVersion[], settings: LiveSettings): MomentFold {
  const state = createPartition(partition);
  const out = noOutputs();
  putZones(state, zones, settings);

  function forgetChanges(): void {
    emptyLists(out);
    takeEndsOfForgotten(state);
    if (countTouched(state) > MOST_TOUCHED) clearTouched(state);
  }

  return {
    *fold({ offset, recordedAt, message }) {
      if (message === undefined) applyTime(state, { offset, recordedAt }, settings, out);
      else yield* applyInSteps(state, { offset, recordedAt, message }, settings, out);
      forgetChanges();
    },
    visited(zoneId, { trackId, tag, lastAt }) {
      const zone = state.zones.get(zoneId);
      if (zone !== undefined) Object.assign(zone, { updatedAt: lastAt, triggerTrackId: trackId, triggerTag: tag });
    },
    endSilent(at) {
      const offset = state.offset + 1;
      const due = dueExpiries(state, { nowMs: at, caughtUp: true, readUpTo: offset }, settings);
      for (const event of due) {
        const last = state.sources.get(event.dataSourceId)?.tracks.get(event.trackId)?.recordedAt ?? Number.NaN;
        // All detections of a track may still be held. It then has no newest one.
        const recordedAt = isKnown(last) ? Math.min(at, last + settings.trackTtlMs) : at;
        apply(state, { offset, recordedAt, message: { type: "TrackExpired", event } }, settings, out);
      }
      forgetChanges();
    },
    trackCount: () => state.live.size + state.resting.size,
    track(dataSourceId, trackId) {
      const track = state.sources.get(dataSourceId)?.tracks.get(trackId);
      return track && { text: storeTrack(track), past: Array.from(pastTexts(track), ([, json]) => json) };
    },
    zone(zoneId) {
      const zone = state.zones.get(zoneId);
      const tracks = zone && state.sources.get(zone.definition.dataSourceId)?.tracks;
      if (zone === undefined || tracks === undefined) return undefined;
      const inside = Array.from(zone.activeTracks, (trackId) => {
        const track = tracks.get(trackId);
        return track === undefined ? null : storeTrack(track);
      });
      return zoneState(storeZone(zone), inside);
    },
  };
}
