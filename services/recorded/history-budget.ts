// Memory for portions of the history. A session has as many portions as open segments, and keeps them while it waits
// for its pace or a step, so the budget is shared among segments, not sessions.
import { MIB } from "../../schemas/units.ts";

export interface HistoryReservation {
  /** Returns the bytes of the next portion; those of the previous portion are free again. */
  next(): number;
  close(): void;
}

export interface HistoryBudget {
  /** Must be called when a segment begins to read. */
  open(): HistoryReservation;
}

const MOST_BYTES = 2 * MIB;
/** Smaller portions would cost ClickHouse more than they save in memory here. */
const LEAST_BYTES = 16 * 1024;
/** A portion takes at most one sixteenth of the remaining bytes, so that segments that open later get enough. */
const LEFT_FOR_OTHERS = 16;

/**
 * `bytes` is the limit of all portions together. It is exceeded only when so many segments are open that the smallest
 * portions need more.
 */
export function createHistoryBudget(bytes: number): HistoryBudget {
  let places = 0;
  let given = 0;
  return {
    open() {
      let own = 0;
      places += 1;
      const giveBack = () => {
        given -= own;
        own = 0;
      };
      return {
        next() {
          giveBack();
          own = Math.max(LEAST_BYTES, Math.min(MOST_BYTES, bytes / places, (bytes - given) / LEFT_FOR_OTHERS));
          own = Math.floor(own);
          given += own;
          return own;
        },
        close() {
          giveBack();
          places -= 1;
        },
      };
    },
  };
}
