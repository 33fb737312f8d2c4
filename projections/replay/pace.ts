// The pace at which signals go out: each is due as long after the first one as it was recorded, divided by the speed.
// The log may interleave recordings of different times (two files that were imported together, old days that are sent
// beside live data). Each recording has a clock of its own, so they run side by side, and the session does not wait for
// the days between them.

export interface ReplayMoment {
  /** Event time, ms. */
  readonly at: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
}

export interface Pace {
  /**
   * Must be called when the fold has reached a detection, or a signal without one, before `wait` is called for its
   * signals.
   */
  reach(moment: ReplayMoment): void;
  /** Milliseconds to wait from now on. `at` is the event time of the signal. */
  wait(at: number, now: number): number;
  /** Makes the next signal due at once. */
  restart(): void;
}

interface Clock {
  /** Event time of the newest moment. */
  at: number;
  /** Broker time of the last moment. Undefined when no moment was given. */
  recordedAt: number | undefined;
  /** The first signal of the recording, and the time at which it went out. */
  origin: { readonly at: number; readonly now: number } | undefined;
}

/**
 * When the event time from one detection to the next exceeds the broker's time by more than this, the next detection
 * belongs to another recording.
 */
const FAR_MS = 600_000;
/** Without this limit a sender of random timestamps would fill the memory. */
const MOST_CLOCKS = 100;

/** The replay does not wait when `speed` is null. */
export function createReplayPace(speed: number | null): Pace {
  /** The clocks in the order in which they were last reached. */
  let clocks: Clock[] = [];

  function begin(clock: Clock): Clock {
    clocks = [...clocks.slice(-MOST_CLOCKS + 1), clock];
    return clock;
  }

  function nearest(at: number): Clock | undefined {
    let found: Clock | undefined;
    for (const clock of clocks) {
      if (found === undefined || Math.abs(at - clock.at) < Math.abs(at - found.at)) found = clock;
    }
    return found;
  }

  return {
    reach({ at, recordedAt }) {
      const clock = nearest(at);
      if (clock === undefined || isFar(clock, { at, recordedAt })) {
        begin({ at, recordedAt, origin: undefined });
        return;
      }
      clock.at = Math.max(clock.at, at);
      clock.recordedAt = recordedAt;
      if (clock !== clocks.at(-1)) clocks = [...clocks.filter((each) => each !== clock), clock];
    },
    wait(at, now) {
      if (speed === null) return 0;
      const clock = nearest(at) ?? begin({ at, recordedAt: undefined, origin: undefined });
      clock.origin ??= { at, now };
      return Math.max(0, clock.origin.now + (at - clock.origin.at) / speed - now);
    },
    restart() {
      clocks = [];
    },
  };
}

const isFar = (clock: Clock, { at, recordedAt }: ReplayMoment): boolean =>
  Math.abs(at - clock.at) > FAR_MS + Math.abs(recordedAt - (clock.recordedAt ?? recordedAt));
