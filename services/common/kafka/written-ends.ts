// Where a topic ends for whoever writes it. kafkajs' admin says where it ends for readers: while a transaction is open,
// what is acknowledged behind its first message lies beyond.
import type { Kafka } from "kafkajs";
import { createCluster } from "./cluster.ts";
import { whileRetriable } from "./offsets.ts";

/** As much of kafkajs' cluster of brokers as is needed to ask for the ends of a topic. */
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** Reads the topic's metadata, too. */
  addTargetTopic(topic: string): Promise<void>;
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[];
  fetchTopicsOffset(
    topics: readonly { readonly topic: string; readonly partitions: readonly { readonly partition: number }[] }[],
  ): Promise<readonly { readonly partitions: readonly { readonly partition: number; readonly offset: string }[] }[]>;
}

const READ_UNCOMMITTED = 0;

/** By partition, the offset after the last message that is in the log, readable or not. */
export function writtenEnds(kafka: Kafka, topic: string): Promise<ReadonlyMap<number, number>> {
  return whileRetriable(async () => {
    const cluster = createCluster<Cluster>(kafka, READ_UNCOMMITTED);
    try {
      await cluster.connect();
      await cluster.addTargetTopic(topic);
      const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId: partition }) => ({ partition }));
      const [ends] = await cluster.fetchTopicsOffset([{ topic, partitions }]);
      return new Map(ends?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    } finally {
      await cluster.disconnect();
    }
  });
}
