// What the fold of a detection, of a track's end and of a zone's change tells the subscriptions of the data source. Without
// any, none of these functions is called on the way of a detection. The fold may rest within what it tells: state and track
// stay as they are meanwhile.
import type { ExpiredBy } from "../../schemas/records/signal-raised.ts";
import { isRestDue, type Steps } from "../live/pace.ts";
import type { Fold, LiveZone, Track } from "../live/state.ts";
import { meet } from "./encounters.ts";
import { closeFrame } from "./frame.ts";
import { look } from "./look.ts";
import { hears, once, raise, wants } from "./raise.ts";
import { activeZones, batchText, trackText } from "./state-text.ts";
import { tellZones } from "./tell-zones.ts";

const NONE: readonly LiveZone[] = [];

/** The zones that the track is in before something other than a detection happens to it. */
export function* zonesBefore(fold: Fold, track: Track): Generator<void, readonly LiveZone[]> {
  if (fold.frame !== undefined) yield* closeFrame(fold);
  return fold.listeners === undefined ? NONE : activeZones(track);
}

/** `before`: the zones that the track was in. `begins`: the detection is the first of a stretch. */
export function* tellDetection(fold: Fold, track: Track, before: readonly LiveZone[], begins: boolean): Steps {
  const { listeners } = fold;
  if (listeners === undefined) return;
  if (listeners.batches.length > 0) meet(fold, track, listeners.proximity);
  if (listeners.tracks.length > 0) yield* tellTracks(fold, track, begins ? "track_created" : "track_updated");
  if (listeners.zones.length > 0) yield* tellZones(fold, track, { before, isDetection: true, tagBefore: track.tag });
}

/** The track has ended, and has left the zones that it was in. */
export function* tellEnd(fold: Fold, track: Track, before: readonly LiveZone[], expiredBy: ExpiredBy): Steps {
  if (fold.listeners === undefined) return;
  yield* tellTracks(fold, track, "track_expired", expiredBy);
  yield* tellBatches(fold, track, expiredBy);
  yield* tellZones(fold, track, { before, isDetection: false, tagBefore: track.tag });
}

/** The track has got another tag. */
export function* tellTag(fold: Fold, track: Track, before: readonly LiveZone[], tagBefore: string): Steps {
  if (fold.listeners !== undefined) yield* tellZones(fold, track, { before, isDetection: false, tagBefore });
}

function* tellTracks(
  fold: Fold,
  track: Track,
  signal: "track_created" | "track_updated" | "track_expired",
  expiredBy: ExpiredBy | null = null,
): Steps {
  const listeners = fold.listeners?.tracks ?? [];
  const tag = track.tag.toLowerCase();
  const state = once(() => trackText(track));
  const subject = { subjectId: track.trackId, dataSourceId: track.source.dataSourceId };
  const timestamp = signal === "track_expired" ? track.trackEnd : track.lastSeen;
  look(fold, listeners.length);
  for (const listener of listeners) {
    if (!wants(listener, tag) || !hears(fold, listener)) continue;
    raise(fold, listener, { ...subject, signal, timestamp, state, expiredBy });
    if (isRestDue(fold)) yield;
  }
}

function* tellBatches(fold: Fold, track: Track, expiredBy: ExpiredBy): Steps {
  const tag = track.tag.toLowerCase();
  const subject = { subjectId: track.trackId, dataSourceId: track.source.dataSourceId };
  const told = { ...subject, signal: "track_expired", timestamp: track.trackEnd, expiredBy } as const;
  /** By what a batch's interactions depend on. */
  const states = new Map<string, () => string>();
  for (const batch of fold.listeners?.batches ?? []) {
    if (!wants(batch, tag) || !hears(fold, batch)) continue;
    const key = `${batch.thresholds.key} ${batch.tagsKey}`;
    const state = states.get(key) ?? once(() => batchText(track, batch));
    states.set(key, state);
    raise(fold, batch, { ...told, state });
    if (isRestDue(fold)) yield;
  }
}
