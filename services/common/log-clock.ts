// The broker's clock; our own may be wrong by an hour. Readers of the log judge a timestamp by the time at which the broker recorded
// it, so the API checks timestamps by this clock, too. The state machine judges by it how long a track has been silent.

export interface LogClock {
  /** The broker's time or a little earlier, ms; undefined until the broker has recorded something for us. */
  now(): number | undefined;
  /** A message was recorded at this broker time, and it has just been read, or the broker has just answered that. */
  heard(recordedAt: number): void;
}

/** `elapsed`: ms since any fixed moment, of a clock that nobody sets. */
export function createLogClock(elapsed: () => number = () => performance.now()): LogClock {
  let ahead: number | undefined;
  return {
    now: () => (ahead === undefined ? undefined : Math.floor(elapsed() + ahead)),
    // The answer took some time, and a message may have waited to be read, so the broker's clock is never behind this one. The
    // newest counts, because the broker's clock may be set back, and partitions move between brokers.
    heard(recordedAt) {
      ahead = recordedAt - elapsed();
    },
  };
}
