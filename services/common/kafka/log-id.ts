// Which log a topic's name leads to now: a topic that was deleted and made again has another id.
import type { Kafka } from "kafkajs";
import { createCluster } from "./cluster.ts";
import { type ConnectionPool, fetchMetadata } from "./metadata.ts";
import { whileRetriable } from "./offsets.ts";

/** As much of kafkajs' cluster of brokers as is needed to ask one of them. */
interface Cluster {
  /** Tries one broker after the other. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  readonly brokerPool: { findConnectedBroker(): Promise<{ readonly connectionPool: ConnectionPool }> };
}

/** The id of each topic, as Kafka's own tools print it. Rejects when one of them does not exist. */
export function topicIds(kafka: Kafka, topics: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return whileRetriable(async () => {
    const cluster = createCluster<Cluster>(kafka);
    try {
      await cluster.connect();
      const { connectionPool } = await cluster.brokerPool.findConnectedBroker();
      const found = await fetchMetadata(connectionPool, topics);
      return new Map(found.topics.map(({ name, id }) => [name, id]));
    } finally {
      await cluster.disconnect();
    }
  });
}
