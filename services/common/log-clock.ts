// The broker's clock; our own may be wrong by an hour. Readers of the log compare a timestamp with the time at which
// the broker recorded it, so the API checks timestamps by this clock, too. The state machine measures the silence of a
// track by it.

export interface LogClock {
  /** Returns the broker's time or a little earlier, ms; undefined until the broker has recorded a message for us. */
  now(): number | undefined;
  /**
   * Must be called right after a message with this broker time was read, or right after the broker answered with this
   * time.
   */
  observed(recordedAt: number): void;
}

/** `elapsed` returns the milliseconds since any fixed moment, by a clock that is never set. */
export function createLogClock(elapsed: () => number = () => performance.now()): LogClock {
  let ahead: number | undefined;
  return {
    now: () => (ahead === undefined ? undefined : Math.floor(elapsed() + ahead)),
    // The answer took some time, and a message may have waited to be read, so this clock is never ahead of the
    // broker's. The newest value counts, because the broker's clock may be set back, and partitions move between
    // brokers.
    observed(recordedAt) {
      ahead = recordedAt - elapsed();
    },
  };
}
