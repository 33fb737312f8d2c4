// A listener that also records from which change of a track each signal follows. The signal itself names the track only
// in the text of its state, which is expensive to read.
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import type { LiveListener, SourceListener } from "../live/listener.ts";
import type { Fold, Track } from "../live/state.ts";

export interface RaisedBy {
  readonly dataSourceId: string;
  readonly trackId: string;
  /** Event time of the track's last detection, ms. */
  readonly lastSeen: number;
  /** True when the signal came at the end of a frame: another track of the frame may be the one that it names. */
  readonly isOfFrame: boolean;
}

export interface CauseRecorder {
  readonly listener: LiveListener;
  /** Returns the causes of the signals in the outputs of the fold, in the same order. */
  causesOf(signals: readonly SignalRaised[]): readonly RaisedBy[];
  /** Must be called when the outputs are emptied. */
  empty(): void;
}

/**
 * The steps of one call of the listener are over before the next call. So each call gives the signals since the call
 * before it to the change that was the last one then.
 */
export function recordCauses(listener: LiveListener): CauseRecorder {
  const causes: RaisedBy[] = [];
  const last = { dataSourceId: "", trackId: "", lastSeen: Number.NaN, isOfFrame: false };

  function settle({ length }: readonly SignalRaised[]): void {
    if (causes.length === length) return;
    const cause = { ...last };
    while (causes.length < length) causes.push(cause);
  }

  function change(fold: Fold, { source, trackId, lastSeen }: Track): void {
    settle(fold.out.lists.signals);
    last.dataSourceId = source.dataSourceId;
    last.trackId = trackId;
    last.lastSeen = lastSeen;
    last.isOfFrame = false;
  }

  const follow = (fold: Fold, inner: SourceListener): SourceListener => ({
    frameOver(nextAt) {
      settle(fold.out.lists.signals);
      last.isOfFrame = true;
      return inner.frameOver(nextAt);
    },
    seen(track, before, begins) {
      change(fold, track);
      return inner.seen(track, before, begins);
    },
    ended(track, before, expiredBy) {
      change(fold, track);
      return inner.ended(track, before, expiredBy);
    },
    tagged(track, zones, tagBefore) {
      change(fold, track);
      return inner.tagged(track, zones, tagBefore);
    },
    zoneCut(zone, left) {
      const newest = left.at(-1);
      if (newest !== undefined) change(fold, newest);
      return inner.zoneCut(zone, left);
    },
  });

  return {
    causesOf(signals) {
      settle(signals);
      return causes;
    },
    empty() {
      causes.length = 0;
    },
    listener: {
      ...listener,
      of(fold, dataSourceId) {
        const inner = listener.of(fold, dataSourceId);
        return inner === undefined ? undefined : follow(fold, inner);
      },
    },
  };
}
