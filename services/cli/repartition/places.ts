// The partitions of a log with more partitions. Their number is a multiple of the old one, so each new partition has
// messages of one old partition only: a new partition is a part of the old one, in the same order.
import { placeKeyOf } from "../../../schemas/check-partition.ts";
import type { Typed } from "../../../schemas/events.ts";
import { partitionOfKey } from "../../../schemas/partition-of-key.ts";

export interface PartitionCounts {
  readonly from: number;
  readonly to: number;
}

/** @returns the reason why a log cannot grow in this way; undefined when it can. */
export function countsFlaw({ from, to }: PartitionCounts): string | undefined {
  if (Number.isInteger(to) && to > from && to % from === 0 && to <= 1_000) return undefined;
  return `--partitions wants a multiple of the present ${from} partitions, up to 1000: then each new partition is a part of one old partition, in the same order.`;
}

/** The new partitions that the messages of an old one go to. */
export const targetsOf = (partition: number, { from, to }: PartitionCounts): number[] =>
  Array.from({ length: to / from }, (_, i) => partition + i * from);

/**
 * Returns the new partition of a message. A message that is in a wrong partition, or has no key, stays in a wrong one:
 * readers refuse it there as before.
 */
export function targetOf(key: string | undefined, partition: number, counts: PartitionCounts): number {
  if (key === undefined) return partition;
  const target = partitionOfKey(key, counts.to);
  return target % counts.from === partition ? target : partition;
}

/** The key that decides the partition: that of the event, which readers check, or else the message's own. */
export function keyOfMessage(read: { readonly ok: true } & Typed, key: Buffer | null): string | undefined;
export function keyOfMessage(read: { readonly ok: boolean }, key: Buffer | null): string | undefined;
export function keyOfMessage(read: { readonly ok: boolean }, key: Buffer | null): string | undefined {
  if (read.ok) return placeKeyOf(read as { readonly ok: true } & Typed);
  return key === null ? undefined : key.toString();
}
