// When a signal is due: as long after the first one as it was recorded, divided by the speed. Recordings of other times may
// lie in the log among one another (two files that were imported together, old days that are sent beside live data): each has
// a clock of its own, so they go side by side, and nobody waits for the days between them.

export interface Moment {
  /** Event time, ms. */
  readonly at: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
}

export interface Pace {
  /** The log has come to a detection, or to a signal without one: before its `wait`. */
  reach(moment: Moment): void;
  /** ms to wait from now on; `at`: event time of the signal. */
  wait(at: number, now: number): number;
  /** The next signal is due at once. */
  restart(): void;
}

interface Clock {
  /** Of the newest moment. */
  at: number;
  /** Of the last moment; undefined: nobody has said it. */
  recordedAt: number | undefined;
  /** Of the first signal. */
  origin: { readonly at: number; readonly now: number } | undefined;
}

/** Event time that passes so much more than the broker's from one detection to the next belongs to another recording. */
const FAR_MS = 600_000;
/** A sender of wild timestamps must not fill the memory. */
const MOST_CLOCKS = 100;

/** `speed`: null = no waiting. */
export function createPace(speed: number | null): Pace {
  /** The one that was reached last at the end. */
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

const isFar = (clock: Clock, { at, recordedAt }: Moment): boolean =>
  Math.abs(at - clock.at) > FAR_MS + Math.abs(recordedAt - (clock.recordedAt ?? recordedAt));
