// A listener follows the fold. The fold notifies it of changes to the tracks and zones of the data sources that it
// follows. The listener may keep a memory of its own (a slot) with each track, source and zone, which the fold carries
// without reading it. The fold knows the listener only by these interfaces; projections/webhooks/signals implements
// them.
//
// The calls for one message come in the order of the log. A listener may append signals to `fold.out`, count work in
// `fold.workSincePause`, use slots, and mark the tracks and zones whose slots it changes. It must change nothing else:
// other results of a fold may not depend on the listener.
import type { ExpiredBy } from "../../schemas/records/signal-raised.ts";
import type { Steps } from "./pace.ts";
import type { Fold, LiveZone, PartitionState, Track } from "./state.ts";

export interface LiveListener {
  /**
   * Called before the fold applies a message to a data source. It must cost no more than a look-up.
   * @returns undefined when the listener does not follow the data source. It is then not called for this message.
   */
  of(fold: Fold, dataSourceId: string): SourceListener | undefined;
  /** Called when a track is read back with the stored form of its slot. The listener sets the slot of the track. */
  restoreTrack(track: Track, stored: unknown): void;
  /** Called when a zone is read back with the stored form of its slot. The listener sets the slot of the zone. */
  restoreZone(zone: LiveZone, stored: unknown): void;
}

/**
 * The listener's methods for one data source and one message. The fold may pause within their steps; the state does not
 * change meanwhile. The two that are called for every detection return undefined when they have no steps, because a
 * generator for nothing costs as much as a third of the fold.
 */
export interface SourceListener {
  /**
   * Called before the state changes, so that the listener can report together everything that happened at one time (a
   * frame). `nextAt` is the timestamp (ms) of the detection that will change the state. It is NaN before any other
   * change, and after the last change of the message.
   */
  frameOver(nextAt: number): Steps | undefined;
  /**
   * Called when a detection has been folded into its track. `before` are the zones that the track was in. `begins` is
   * true when the detection is the first of a stretch.
   */
  seen(track: Track, before: readonly LiveZone[], begins: boolean): Steps | undefined;
  /** Called when a track has ended. It has left the zones that it was in, which are `before`. */
  ended(track: Track, before: readonly LiveZone[], expiredBy: ExpiredBy): Steps;
  /** Called when the tag of a track has changed. `zones` are the zones that the track is in. */
  tagged(track: Track, zones: readonly LiveZone[], tagBefore: string): Steps;
  /**
   * Called when a zone was deleted, deactivated or redrawn. `left` are the tracks that were in it and left it by that
   * change.
   */
  zoneCut(zone: LiveZone, left: readonly Track[]): Steps;
}

/** A memory of the listener, stored with the track or zone that it belongs to. */
export interface Slot {
  /** Called when the text of the track or zone is written. The result is what `restoreTrack` or `restoreZone` gets. */
  toJSON(): unknown;
}

/**
 * The listener's memory of a track. The fold calls these methods even when the listener does not follow the track's
 * data source at present. They may change this slot, and those of the source and of its other tracks.
 */
export interface TrackSlot extends Slot {
  /** Called when the track begins a new stretch. */
  begins(): void;
  /**
   * Called when the track comes to rest. When a state is read back, called for each resting track in the order in which
   * they came to rest.
   */
  rests(state: PartitionState): void;
  /** Called when a detection makes the resting track live. */
  wakes(): void;
  /** Called before the track is forgotten. Afterwards it has no slot. */
  forgotten(): void;
}

/** Must be called before a change that is no detection, and after the last change of a message. */
export function* endFrame(listener: SourceListener | undefined): Steps {
  const steps = listener?.frameOver(Number.NaN);
  if (steps !== undefined) yield* steps;
}
