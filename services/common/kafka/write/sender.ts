// Sends the batches of a publisher, and gives each caller its answer.
import type { Producer, RecordMetadata } from "kafkajs";
import { publishFailures, publishMessages, publishSeconds } from "../../metrics/kafka.ts";
import { askBeforeWrite, untilSettled } from "../internals/in-flight.ts";
import { areValid, type Calls, mayEnd, type QueuedMessage } from "./calls.ts";
import { groupByPartition, groupKey, toTopicMessages } from "./topic-messages.ts";

export type Answer = () => void;

export const answerNobody: Answer = () => undefined;

interface SenderOptions {
  readonly producer: Producer;
  readonly calls: Calls;
  /** When true, callers receive a failure only once no broker is writing any of the messages any more. */
  readonly rejectWhenSettled: boolean;
}

export type Sender = ReturnType<typeof createSender>;

export function createSender({ producer, calls, rejectWhenSettled }: SenderOptions) {
  /** Removes the acknowledged entries from the groups. Returns the function that answers their callers. */
  function answerOf(result: RecordMetadata, groups: Map<string, QueuedMessage[]>): Answer {
    const { topicName: topic, partition, baseOffset, logAppendTime } = result;
    const key = groupKey(topic, partition);
    const entries = groups.get(key) ?? [];
    groups.delete(key);
    const base = Number(baseOffset);
    const at = { topic, partition, recordedAt: timeOf(logAppendTime) };
    return () => {
      for (const [i, entry] of entries.entries()) calls.acknowledge(entry, { ...at, offset: base + i });
    };
  }

  return {
    /**
     * Never rejects. It settles the calls of a failed batch at once, before the next batch is taken, so that none of
     * their later messages is written. Resolves with a function that settles the calls of a successful batch.
     */
    async send(batch: readonly QueuedMessage[]): Promise<Answer> {
      if (batch.length === 0) return answerNobody;
      const groups = groupByPartition(batch);
      const topicMessages = toTopicMessages(groups);
      if (mayEnd(batch)) askBeforeWrite(topicMessages, () => areValid(batch));
      publishMessages.observe(batch.length);
      const observeSeconds = publishSeconds.startTimer();
      try {
        const results = await producer.sendBatch({ acks: -1, topicMessages });
        observeSeconds();
        const answers = results.map((result) => answerOf(result, groups));
        // Requests leave out the partitions that have no leader, or that kafkajs does not know.
        if (groups.size > 0) publishFailures.inc();
        for (const [key, entries] of groups) calls.fail(entries, new Error(`no broker leads ${key}`));
        return () => {
          for (const answer of answers) answer();
        };
      } catch (error) {
        publishFailures.inc();
        if (rejectWhenSettled) await untilSettled(topicMessages);
        calls.fail(batch, error);
        return answerNobody;
      }
    },
  };
}

/** A broker that does not set the time answers -1. */
const timeOf = (logAppendTime = "-1"): number | undefined =>
  logAppendTime === "-1" ? undefined : Number(logAppendTime);
