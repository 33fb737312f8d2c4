// The stores that a plan is made from, and the waiting for the history.
import type { Admin } from "kafkajs";
import type { QueryClient } from "../../projections/history/queries/run.ts";
import { type OffsetRange, offsetRanges } from "../common/kafka/offsets.ts";
import type { LogFetcher } from "../common/kafka/read/fetch-log.ts";
import { growing, loop } from "../common/loop.ts";
import { SessionFailed } from "./failed.ts";
import { lostOffset } from "./read-messages.ts";

export interface PlanDeps {
  readonly history: QueryClient;
  /** Offset of the next message of the topic to project, by partition. Sessions that wait share the answers. */
  readonly projectedUpTo: () => Promise<ReadonlyMap<number, number>>;
  readonly admin: Admin;
  readonly fetcher: Pick<LogFetcher, "fetch">;
  /** The camera-log's name on the broker. */
  readonly topic: string;
  readonly trackTtlMs: number;
  /** Reading begins at most this long before the asked part, ms, so that tracks already present are included. */
  readonly warmUpMs: number;
  readonly signal: AbortSignal;
}

/** Longest wait, ms, for the history to have everything that the log had when the session began. */
export const BEHIND_MS = 600_000;
/**
 * Pauses between queries, ms. They grow, because thousands of sessions may wait while the projector needs the same
 * store.
 */
export const askAgainMs = growing(250, 10_000);

/** The ranges of the camera-log that have messages. */
export const filledRanges = async ({ admin, topic }: PlanDeps): Promise<readonly OffsetRange[]> =>
  (await offsetRanges(admin, topic)).filter(({ low, high }) => high > low);

/** Resolves with true when the history lacks messages of these ranges. */
export async function isMissingSome(ranges: readonly OffsetRange[], { projectedUpTo }: PlanDeps): Promise<boolean> {
  const projected = await projectedUpTo();
  return ranges.some(({ partition, high }) => (projected.get(partition) ?? 0) < high);
}

/** Resolves when the history has all messages of these ranges. Rejects with SessionFailed when that takes too long. */
export async function awaitHistory(ranges: readonly OffsetRange[], deps: PlanDeps): Promise<void> {
  const filled = ranges.filter(({ low, high }) => high > low);
  const hasAll = async () => ((await isMissingSome(filled, deps)) ? undefined : true);
  const waiting = { pauseMs: askAgainMs, withinMs: BEHIND_MS, signal: deps.signal };
  if ((await loop(hasAll, waiting)) === undefined) throw new SessionFailed("the history is behind the log");
}

/**
 * Resolves with the broker time of the message with this offset, or of the first one after it. Rejects with
 * SessionFailed when retention has removed it meanwhile.
 */
export async function timeAt(
  partition: number,
  offset: number,
  { fetcher, topic }: Pick<PlanDeps, "fetcher" | "topic">,
): Promise<number | undefined> {
  const { messages } = await fetcher.fetch({ topic, partition }, offset).catch((cause: unknown) => {
    throw lostOffset(cause, partition, offset);
  });
  const [first] = messages;
  return first && Number(first.timestamp);
}

/** Resolves with the broker time of the first message that the partition still has. */
export async function firstKept(
  { partition, low, high }: OffsetRange,
  deps: Pick<PlanDeps, "fetcher" | "topic">,
): Promise<number> {
  const at = high === low ? undefined : await timeAt(partition, low, deps);
  return at ?? Number.POSITIVE_INFINITY;
}
