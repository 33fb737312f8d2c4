// Ids of the signals that were delivered already, needed after Redis has lost its data.
import type { Kafka } from "kafkajs";
import type { Codec } from "../../../schemas/codec.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { topicName } from "../../../schemas/topics.ts";
import { readSince } from "../../common/kafka/read/read-some.ts";
import type { Log } from "../../common/log.ts";
import { createIdSet, type IdSet } from "../queue/id-set.ts";

export interface FinishedDeps {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly log: Log;
}

/** Reads the signals whose deliveries ended since `since` (ms), of the subscriptions whose ids `isOurs` accepts. */
export async function finishedSignals(
  { kafka, codec, namespace, groupPrefix, log }: FinishedDeps,
  since: number,
  isOurs: (subscriptionId: string) => boolean,
): Promise<IdSet> {
  const found = createIdSet();
  const topic = topicName(namespace, "webhook-deliveries");
  for await (const { message } of readSince({ kafka, groupPrefix: `${groupPrefix}.finished`, topic, log }, since)) {
    await codec.loadSchemas([message.value], { topic });
    const read = readMessage(codec, "webhook-deliveries", message.value);
    if (read.ok && isOurs(read.event.subscriptionId)) for (const id of read.event.signalIds) found.add(id);
  }
  return found;
}
