// The fold of live state with a single zone. It judges the detections of a trial.
import type { CameraLogEvent, Zone } from "../../schemas/events.ts";
import { createPartition } from "../live/create-state.ts";
import { applyInSteps } from "../live/fold.ts";
import { createGeofences } from "../live/geofences.ts";
import { emptyLists, noOutputs } from "../live/outputs.ts";
import { finish, type Steps } from "../live/pace.ts";
import { clearTouched } from "../live/persist.ts";
import type { Track } from "../live/state.ts";
import type { LiveSettings } from "../live/types.ts";

/** An intersection in its newest state. */
export interface JudgedStay {
  readonly id: string;
  readonly trackId: string;
  readonly startTime: number;
  readonly endTime: number | null;
}

export interface Judge {
  /** Folds the next message. */
  fold(message: CameraLogEvent): Steps;
  track(trackId: string): Track | undefined;
  tracks(): readonly Track[];
  /** @returns true when the track was silent for longer than the time to live. */
  hasExpired(track: Track, before: number): boolean;
  /** Removes and returns the stays that no later detection changes, when there are none before this time. */
  takeSettled(before: number): JudgedStay[];
  /** Removes and returns all other stays. */
  takeRest(): JudgedStay[];
}

/**
 * Ended tracks that the fold remembers: a detection after an explicit end may continue the track. It needs at least
 * one, because a track without a detection yet counts as ended.
 */
const REMEMBERED = 1_000;

export function createJudge(zone: Zone, trackTtlMs: number): Judge {
  const state = createPartition(0);
  const out = noOutputs();
  const settings = settingsOf(trackTtlMs);
  const stays = new Map<string, JudgedStay>();
  let offset = 0;

  function* fold(message: CameraLogEvent): Steps {
    yield* applyInSteps(state, { offset: offset++, recordedAt: 0, message }, settings, out);
    for (const { intersectionId: id, trackId, startTime, endTime } of out.lists["zone-intersections"]) {
      stays.set(id, { id, trackId, startTime, endTime });
    }
    emptyLists(out);
    clearTouched(state);
  }

  finish(fold({ type: "ZoneCreated", event: { zone: { ...zone, active: true } } }));
  const known = () => state.sources.get(zone.dataSourceId)?.tracks;
  const hasExpired = ({ lastSeen }: Track, before: number): boolean => lastSeen + trackTtlMs < before;

  function isSettled({ id, trackId, endTime }: JudgedStay, before: number): boolean {
    if (endTime === null) return false;
    const track = known()?.get(trackId);
    return track === undefined || hasExpired(track, before) || !track.intersections.some((each) => each.id === id);
  }

  function take(isDue: (stay: JudgedStay) => boolean): JudgedStay[] {
    const taken = [...stays.values()].filter(isDue);
    for (const { id } of taken) stays.delete(id);
    return taken;
  }

  return {
    fold,
    track: (trackId) => known()?.get(trackId),
    tracks: () => [...(known()?.values() ?? [])],
    hasExpired,
    takeSettled: (before) => take((stay) => isSettled(stay, before)),
    takeRest: () => take(() => true),
  };
}

const settingsOf = (trackTtlMs: number): LiveSettings => ({
  trackTtlMs,
  // The detections come in the order in which they are folded.
  reorderMs: 0,
  updateIntervalMs: Number.POSITIVE_INFINITY,
  forgetAfterMs: Number.POSITIVE_INFINITY,
  rememberedTracks: REMEMBERED,
  maxSourceVertices: Number.POSITIVE_INFINITY,
  geofences: createGeofences(0),
  listener: undefined,
});
