// Holds the first outputs of a takeover back while one of their partitions has no leader. The partitions of `signals`
// that a round needs are known only after folding, so the takeover cannot wait for them as it does for those of the
// other outputs. A write would fail as a whole. Each retry would then write the signals for the other partitions once
// more, because a takeover does not look up which signals their topic has.
import { REFRESH_MS } from "../../common/kafka/internals/leaderless.ts";
import type { EndOffsets } from "../../common/kafka/read/partition-ends.ts";
import type { OutMessage, Publisher } from "../../common/kafka/write/publisher.ts";
import type { Log } from "../../common/log.ts";
import { pause, untilSo } from "../../common/loop.ts";
import { shareCalls } from "../../common/share-calls.ts";

export interface LedOutputsOptions {
  /** Topic names on the broker. */
  readonly topics: readonly string[];
  readonly endsOf: (topic: string) => Promise<EndOffsets>;
  readonly partitionOf: Publisher["partitionOf"];
  readonly log: Log;
}

export interface LedOutputs {
  /** Resolves when the leader of each message's partition answers, or when `isOver` returns true. */
  awaitLeaders(messages: readonly OutMessage[], isOver: () => boolean): Promise<void>;
}

const ASK_EVERY_MS = 500;
const POLL_MS = 50;

export function createLedOutputs({ topics, endsOf, partitionOf, log }: LedOutputsOptions): LedOutputs {
  /** Partitions whose leaders do not answer, as `topic/partition`. All partitions of the camera-log share one call. */
  const leaderless = shareCalls(async () => {
    // The ends of all topics are requested at once: a broker that hangs costs the time-out of one request, not of one
    // for each topic.
    const found = await Promise.all(topics.map(endsOf));
    const unled = topics.flatMap((topic, i) =>
      [...(found[i] ?? [])].flatMap(([partition, end]) => (end === undefined ? [`${topic}/${partition}`] : [])),
    );
    return new Set(unled);
  }, ASK_EVERY_MS);

  const placeOf = ({ topic, key, partition }: OutMessage): string =>
    `${topic}/${partition === undefined ? partitionOf(topic, key) : partition}`;

  return {
    async awaitLeaders(messages, isOver) {
      if (messages.length === 0) return;
      const places = new Set(messages.map(placeOf));
      let hasWarned = false;
      const areLed = async () => {
        // When no broker answers, the write itself reports the failure.
        const unled = await leaderless().catch(() => new Set<string>());
        const missing = [...places].filter((place) => unled.has(place));
        if (missing.length > 0 && !hasWarned) log.warn({ missing }, "outputs wait for the leaders of their partitions");
        hasWarned ||= missing.length > 0;
        return missing.length === 0 || isOver();
      };
      await untilSo(areLed, { pauseMs: POLL_MS });
      // The publisher may have the partition without a leader in its metadata for this long.
      if (hasWarned && !isOver()) await pause(REFRESH_MS);
    },
  };
}
