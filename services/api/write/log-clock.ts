// The broker's clock. Readers of the log judge a timestamp by the time at which the broker recorded it, so the API
// checks timestamps by this clock, too; our own may be wrong by an hour.

export interface LogClock {
  /** The broker's time or a little earlier, ms; undefined until the broker has recorded something for us. */
  now(): number | undefined;
  /** The broker has just answered that it recorded a message at this time. */
  heard(recordedAt: number): void;
}

/** `elapsed`: ms since any fixed moment, of a clock that nobody sets. */
export function createLogClock(elapsed: () => number = () => performance.now()): LogClock {
  let ahead: number | undefined;
  return {
    now: () => (ahead === undefined ? undefined : Math.floor(elapsed() + ahead)),
    // The answer took some time, so the broker's clock is never behind this one. The newest answer counts, because the
    // broker's clock may be set back, and partitions move between brokers.
    heard(recordedAt) {
      ahead = recordedAt - elapsed();
    },
  };
}
