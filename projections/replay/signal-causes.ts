// A listener that also records from which change of a track each signal follows. The signal itself names the track only
// in the text of its state, which is expensive to read.
import type { LiveListener, SourceListener } from "../live/listener.ts";
import type { Steps } from "../live/pace.ts";
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
  /** The causes of the signals in the outputs of the fold, in the same order. */
  readonly causes: RaisedBy[];
}

export function recordCauses(listener: LiveListener): CauseRecorder {
  const causes: RaisedBy[] = [];

  function* recorded(fold: Fold, steps: Steps, change: RaisedBy, isOfFrame: boolean): Steps {
    yield* steps;
    const { length } = fold.out.lists.signals;
    if (causes.length === length) return;
    const cause = isOfFrame ? { ...change, isOfFrame } : change;
    while (causes.length < length) causes.push(cause);
  }

  function follow(fold: Fold, inner: SourceListener): SourceListener {
    let last: RaisedBy | undefined;
    const of = (track: Track): RaisedBy => {
      const { trackId, lastSeen, source } = track;
      last = { dataSourceId: source.dataSourceId, trackId, lastSeen, isOfFrame: false };
      return last;
    };
    return {
      frameOver(nextAt) {
        const steps = inner.frameOver(nextAt);
        return last === undefined ? steps : recorded(fold, steps, last, true);
      },
      seen: (track, before, begins) => recorded(fold, inner.seen(track, before, begins), of(track), false),
      ended: (track, before, expiredBy) => recorded(fold, inner.ended(track, before, expiredBy), of(track), false),
      tagged: (track, zones, tagBefore) => recorded(fold, inner.tagged(track, zones, tagBefore), of(track), false),
      zoneCut: (zone, left) => {
        const newest = left.at(-1);
        const steps = inner.zoneCut(zone, left);
        return newest === undefined ? steps : recorded(fold, steps, of(newest), false);
      },
    };
  }

  return {
    causes,
    listener: {
      ...listener,
      of(fold, dataSourceId) {
        const inner = listener.of(fold, dataSourceId);
        return inner === undefined ? undefined : follow(fold, inner);
      },
    },
  };
}
