// The time up to which the log has lost its messages.
import type { Kafka } from "kafkajs";
import { type OffsetRange, offsetRanges } from "../common/kafka/offsets.ts";
import { createLogFetcher } from "../common/kafka/read/fetch-log.ts";

/** The times of the first messages by partition, ms; undefined for one without messages. */
export type FirstMessages = ReadonlyMap<number, number | undefined>;

/** The rows of one partition from a time up to another, both included, ms. Undefined means without a bound. */
export interface LostSpan {
  readonly partition: number;
  readonly from: number | undefined;
  readonly upTo: number | undefined;
}

/** A message may be larger; then it comes alone. */
const FETCH_BYTES = 64 * 1024;

/** `topic` is the name on the broker. */
export async function firstMessages(kafka: Kafka, topic: string): Promise<FirstMessages> {
  const admin = kafka.admin();
  const fetcher = createLogFetcher(kafka, FETCH_BYTES);
  await Promise.all([admin.connect(), fetcher.start()]);
  const firstOf = async ({ partition, low, high }: OffsetRange) => {
    const { messages } = high > low ? await fetcher.fetch({ topic, partition }, low) : { messages: [] };
    const [first] = messages;
    return [partition, first === undefined ? undefined : Number(first.timestamp)] as const;
  };
  try {
    const found = new Map<number, number | undefined>();
    for (const range of await offsetRanges(admin, topic)) found.set(...(await firstOf(range)));
    return found;
  } finally {
    await Promise.all([admin.disconnect(), fetcher.stop()]);
  }
}

/** Returns what the log has lost between two looks at its first messages. Without an earlier look, that is all. */
export function lostSpans(before: FirstMessages | undefined, now: FirstMessages): LostSpan[] {
  return Array.from(now, ([partition, upTo]) => ({ partition, from: before?.get(partition), upTo })).filter(
    ({ partition, from, upTo }) => before?.has(partition) !== true || from !== upTo,
  );
}
