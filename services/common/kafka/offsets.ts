import type { Admin } from "kafkajs";

export interface OffsetRange {
  readonly partition: number;
  /** First offset still kept. */
  readonly low: number;
  /** Offset that the next message will get. */
  readonly high: number;
}

export async function offsetRanges(admin: Admin, topic: string): Promise<OffsetRange[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets
    .map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }))
    .sort((a, b) => a.partition - b.partition);
}
