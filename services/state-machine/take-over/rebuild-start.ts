// Chooses the first offset to read when Redis has no position.
import type { OffsetRange } from "../../common/kafka/offsets.ts";
import type { Missed } from "../store/live-store.ts";

/** Camera-log offsets, each undefined while unknown. */
export interface Traces {
  /** Offset of the first message that is recent enough to matter for the state. */
  readonly recent: number | undefined;
  /** Offset of the message whose output was written last. */
  readonly cause: number | undefined;
  /** Positions: the one in Redis, and the one committed to the group. */
  readonly stored: number | undefined;
  readonly committed: number | undefined;
}

export interface RebuildStart {
  readonly begin: number;
  /** Offsets that will never be processed, because retention has removed their messages. */
  readonly missed: Missed | undefined;
}

/**
 * A rebuild skips no part of the log that was never processed, however old it is. An early start only costs time:
 * existing outputs are not written again.
 */
export function rebuildStart({ low, high }: OffsetRange, { recent, cause, stored, committed }: Traces): RebuildStart {
  // A trace beyond the end belongs to another log.
  const traces = [cause, stored, committed].filter((offset) => offset !== undefined && offset <= high) as number[];
  const processedUpTo = Math.max(0, ...traces);
  const wanted = traces.length === 0 ? 0 : Math.min(recent ?? low, ...traces);
  return {
    begin: Math.max(low, wanted),
    missed: processedUpTo < low ? { from: processedUpTo, to: low } : undefined,
  };
}
