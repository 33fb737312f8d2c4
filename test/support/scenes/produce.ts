// Events straight to the camera-log, as a direct producer writes them.
import type { CompressionTypes } from "kafkajs";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { topicName } from "../../../schemas/topics.ts";
import type { Inspector } from "../clients/final-state-inspector.ts";
import { until } from "../running/processes.ts";

export type Reported = CameraLogEvent & { readonly key: string };

const BATCH = 2_000;
const SENT_WITHIN_MS = 180_000;

/** Resolves when all replicas have them. It sends messages without an answer again, so one may be there twice. */
export async function produce(
  inspector: Inspector,
  events: readonly Reported[],
  compression?: CompressionTypes,
): Promise<void> {
  const producer = inspector.kafka.producer({ allowAutoTopicCreation: false });
  await until(async () => producer.connect().then(() => true), { timeoutMs: SENT_WITHIN_MS });
  const topic = topicName(inspector.namespace, "camera-log");
  const how = compression === undefined ? {} : { compression };
  try {
    for (let from = 0; from < events.length; from += BATCH) {
      const messages = events.slice(from, from + BATCH).map((reported) => toMessage(inspector, reported));
      await until(async () => (await producer.send({ topic, acks: -1, ...how, messages })).length, {
        timeoutMs: SENT_WITHIN_MS,
      });
    }
  } finally {
    await producer.disconnect();
  }
}

export const toMessage = ({ codec }: Inspector, { key, type, event }: Reported) => ({
  key,
  value: codec.encode(type, event as never),
});
