// Decides which ends of tracks a round writes, by the clock of the partition's log.
import {
  dueExpiries,
  forgetIdle,
  hasSilent,
  type LiveSettings,
  newestRecordedAt,
} from "../../../projections/live/partition.ts";
import type { TrackExpired } from "../../../schemas/events.ts";
import { createLogClock, type LogClock } from "../../common/log-clock.ts";
import type { CaughtUp } from "./caught-up.ts";
import type { PartitionFold } from "./partition-fold.ts";

export interface ExpiryDeps {
  readonly settings: LiveSettings;
  /** Returns the milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  readonly caughtUp: CaughtUp;
}

const CHECK_MS = 200;
/**
 * While the log is silent, the partition's end is requested at this interval. Without the answer, ended tracks would
 * never be dropped from memory.
 */
const FORGET_CHECK_MS = 60_000;

export class ExpiryWatch {
  readonly #fold: PartitionFold;
  /** The broker's clock or an earlier time, never a later one: it continues from the newest message that was read. */
  readonly clock: LogClock;
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** A time of the log's clock. Everything that the log had at that time is folded. Undefined while unknown. */
  #caughtUpAt: number | undefined;

  constructor(fold: PartitionFold, elapsed: () => number) {
    this.#fold = fold;
    this.clock = createLogClock(elapsed);
    // Until a message arrives, the newest time in the state is the latest known time of the broker.
    const recordedAt = newestRecordedAt(fold.state);
    if (recordedAt !== undefined) this.clock.observed(recordedAt);
  }

  /** Returns at most `most` ends, so that a round stays small. */
  due({ caughtUp, settings, elapsed }: ExpiryDeps, most: number): TrackExpired[] {
    const { state, next: readUpTo } = this.#fold;
    const caughtUpAt = caughtUp.at(state.partition, readUpTo);
    if (caughtUpAt !== undefined) {
      this.#caughtUpAt = caughtUpAt;
      return dueExpiries(state, { nowMs: caughtUpAt, caughtUp: true, readUpTo }, settings, most);
    }
    const elapsedMs = elapsed();
    if (elapsedMs - this.#checkedAt < CHECK_MS) return [];
    this.#checkedAt = elapsedMs;
    const known = { nowMs: this.#caughtUpAt ?? 0, caughtUp: this.#caughtUpAt !== undefined };
    forgetIdle(state, known, settings);
    // While the clock is unknown nothing was ever recorded, so no track can end.
    const nowMs = this.clock.now() ?? 0;
    const isOld = nowMs - known.nowMs > FORGET_CHECK_MS;
    if (isOld || hasSilent(state, nowMs, settings)) caughtUp.want(state.partition);
    return dueExpiries(state, { nowMs, caughtUp: false, readUpTo }, settings, most);
  }
}
