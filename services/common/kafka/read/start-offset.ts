// Chooses the first offset to read, and refuses a remembered position that this log cannot have given.
import { PermanentError } from "../../permanent-errors.ts";
import type { OffsetRange } from "../offsets.ts";
import type { PartitionId } from "./inboxes.ts";

export interface Start extends PartitionId {
  /** Undefined for the beginning. */
  readonly offset: number | undefined;
}

const WHAT_TO_DO = "Stop the services and run npm run reconcile: it forgets such positions and keeps the history.";

/**
 * Thrown for a position that the log in its present state cannot have given: the log was replaced, or lost its end. A
 * reader that continued there would skip messages, so it stops until the operator has decided.
 */
export class ForeignPosition extends PermanentError {
  override readonly name = "ForeignPosition";

  constructor({ topic, partition }: PartitionId, position: number, what: string) {
    super(`position ${position} of ${topic}/${partition} ${what}. ${WHAT_TO_DO}`);
  }
}

export const anotherLog = (id: PartitionId, position: number): ForeignPosition =>
  new ForeignPosition(id, position, "is from another log of that name");

export class PositionBeyondLog extends ForeignPosition {
  readonly topic: string;
  readonly partition: number;
  readonly wanted: number;
  readonly low: number;
  readonly high: number;

  constructor(id: PartitionId, wanted: number, { low, high }: OffsetRange) {
    super(id, wanted, `lies beyond the end of the log, which holds offsets ${low} to ${high}`);
    this.topic = id.topic;
    this.partition = id.partition;
    this.wanted = wanted;
    this.low = low;
    this.high = high;
  }
}

/**
 * Returns the first offset to read. It is greater than the wanted one when the log no longer has that. Throws
 * PositionBeyondLog for a position after the end of the log, because kafkajs would silently reset it.
 */
export function startOffset({ offset, ...id }: Start, ranges: readonly OffsetRange[]): number {
  const range = ranges.find(({ partition }) => partition === id.partition);
  if (range === undefined) throw new Error(`no partition ${id.topic}/${id.partition}`);
  if (offset !== undefined && offset > range.high) throw new PositionBeyondLog(id, offset, range);
  return Math.max(offset ?? range.low, range.low);
}
