// The metrics of readers and publishers. Labels are names of groups and topics, and numbers of partitions.
import { counter, durations, observedGauge, sizes } from "./define.ts";

export const lagMessages = observedGauge(
  "reader_lag_messages",
  "Messages of an assigned partition that the process has not finished.",
  ["group", "topic", "partition"],
);

export const lagSeconds = observedGauge(
  "reader_lag_seconds",
  "Age of the oldest message that the process has begun and not finished; 0 when there is none.",
  ["group", "topic", "partition"],
);

export const publishQueueBytes = observedGauge("publish_queue_bytes", "Bytes that wait to be sent to Kafka.");

export const publishSeconds = durations("publish_seconds", "Time until Kafka has acknowledged a request.");

export const publishMessages = sizes("publish_messages", "Messages in a request to Kafka.");

export const publishFailures = counter(
  "publish_failures_total",
  "Requests to Kafka that were not acknowledged, or not for all of their partitions.",
);
