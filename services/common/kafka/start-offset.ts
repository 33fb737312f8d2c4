// Where to begin reading: at the remembered position, or nowhere if the log cannot have given it.
import { HopelessError } from "../hopeless.ts";
import type { PartitionId } from "./inboxes.ts";
import type { OffsetRange } from "./offsets.ts";

export interface Start extends PartitionId {
  /** undefined = the beginning. */
  readonly offset: number | undefined;
}

const WHAT_TO_DO = "Stop the services and run npm run reconcile: it forgets such positions and keeps the history.";

/**
 * A position that the log as it is now cannot have given: the log was replaced, or lost its end. A reader that went on
 * there would skip messages, so it stops until the operator has decided.
 */
export class ForeignPosition extends HopelessError {
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
 * kafkajs silently resets a position out of range, so it must never see one. The result is greater than the wanted
 * offset when the log no longer keeps that. Throws PositionBeyondLog.
 */
export function startOffset({ offset, ...id }: Start, ranges: readonly OffsetRange[]): number {
  const range = ranges.find(({ partition }) => partition === id.partition);
  if (range === undefined) throw new Error(`no partition ${id.topic}/${id.partition}`);
  if (offset !== undefined && offset > range.high) throw new PositionBeyondLog(id, offset, range);
  return Math.max(offset ?? range.low, range.low);
}
