// When a signal is due: as long after the first one as it was recorded, divided by the speed.

export interface Pace {
  /** ms to wait from now on; `at`: event time of the signal. */
  wait(at: number, now: number): number;
  /** The next signal is due at once. */
  restart(): void;
}

/** `speed`: null = no waiting. */
export function createPace(speed: number | null): Pace {
  let origin: { readonly at: number; readonly now: number } | undefined;
  return {
    wait(at, now) {
      if (speed === null) return 0;
      origin ??= { at, now };
      return Math.max(0, origin.now + (at - origin.at) / speed - now);
    },
    restart() {
      origin = undefined;
    },
  };
}
