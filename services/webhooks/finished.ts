// What has been delivered already, for the time after Redis has lost its memory of it.
import type { Kafka } from "kafkajs";
import type { Codec } from "../../schemas/codec.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { topicName } from "../../schemas/topics.ts";
import { readEach } from "../common/kafka/read-some.ts";
import type { Log } from "../common/log.ts";

export interface FinishedDeps {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly log: Log;
}

/** The ids of the signals whose deliveries ended since `since` (ms). */
export async function finishedSignals(
  { kafka, codec, namespace, groupPrefix, log }: FinishedDeps,
  since: number,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const topic = topicName(namespace, "webhook-deliveries");
  for await (const { message } of readEach({ kafka, groupPrefix: `${groupPrefix}.finished`, topic, log })) {
    if (Number(message.timestamp) < since) continue;
    await codec.learn([message.value]);
    const read = readMessage(codec, "webhook-deliveries", message.value);
    if (read.ok) for (const id of read.event.signalIds) found.add(id);
  }
  return found;
}
