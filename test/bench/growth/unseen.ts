// Events that readers receive only later, all at one moment: the log has them in a transaction that is still open.

import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createPartitionOf } from "../../../services/common/kafka/partition-of.ts";
import { createLog } from "../../../services/common/log.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { until } from "../../support/running/processes.ts";
import type { BenchCameras } from "../camera-log.ts";
import { type Ends, endsOf } from "../decode-log.ts";

interface UnseenPart {
  readonly env: Readonly<Record<string, string>>;
  readonly topic: string;
  readonly cell: { readonly partitions: number };
  readonly cameras: BenchCameras;
  /** Number of the first event. */
  readonly first: number;
  readonly events: number;
}

const PER_SEND = 1_000;
const TIMEOUT_MS = 300_000;

/** `ends`: the offsets behind the events. `show` lets readers have them. */
export async function writeUnseen(part: UnseenPart): Promise<{ ends: Ends; show: () => Promise<void> }> {
  const { env, topic, cameras } = part;
  const codec = await createCodec(loadConfig(registryEnv, env));
  const producer = createKafka("tracklog-bench", loadConfig(kafkaEnv, env), createLog("bench", "silent")).producer({
    transactionalId: `${topic}.${part.first}`,
    transactionTimeout: TIMEOUT_MS,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
  });
  await producer.connect();
  // The first transaction of a cluster makes Kafka create the topic of its coordinators, which takes some seconds.
  const transaction = await until(() => producer.transaction());
  const partitionOf = createPartitionOf(new Map([[topic, part.cell.partitions]]));
  const ends = new Map(await endsOf(env, topic));
  for (let sent = 0; sent < part.events; sent += PER_SEND) {
    const messages = Array.from({ length: Math.min(PER_SEND, part.events - sent) }, (_, i) => {
      const event = cameras.event(part.first + sent + i);
      const partition = partitionOf(topic, event.dataSourceId);
      ends.set(partition, (ends.get(partition) ?? 0) + 1);
      return { key: event.dataSourceId, partition, value: codec.encode("DetectionsRecorded", event) };
    });
    await transaction.send({ topic, messages });
  }
  const show = async () => {
    await transaction.commit();
    await producer.disconnect();
  };
  return { ends, show };
}
