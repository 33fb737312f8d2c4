// What the broker's clock says. Readers of the log judge a timestamp by when the broker recorded it, so this clock counts at
// the door, too; ours may be wrong by an hour.

export interface LogClock {
  /** Not later than what the broker would say now, ms; undefined until it has recorded something for us. */
  now(): number | undefined;
  /** The broker has just answered that it recorded a message at this time. */
  heard(recordedAt: number): void;
}

/** `elapsed`: ms since any fixed moment, of a clock that nobody sets. */
export function createLogClock(elapsed: () => number = () => performance.now()): LogClock {
  let ahead: number | undefined;
  return {
    now: () => (ahead === undefined ? undefined : Math.floor(elapsed() + ahead)),
    // The answer took some time, so the broker is further by now: never less far. The newest answer counts, because the
    // broker's clock may be set back, and partitions move between brokers.
    heard(recordedAt) {
      ahead = recordedAt - elapsed();
    },
  };
}
