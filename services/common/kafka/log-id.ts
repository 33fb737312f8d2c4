// Identifies the log behind a topic's name: a topic that was deleted and created again has another id.
import type { Kafka } from "kafkajs";
import { createCluster } from "./internals/cluster.ts";
import { type ConnectionPool, fetchMetadata } from "./internals/metadata.ts";
import { whileRetriable } from "./offsets.ts";

/** The members of kafkajs' cluster that are needed to send a request to one of its brokers. */
interface Cluster {
  /** Tries one broker after the other. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  readonly brokerPool: { findConnectedBroker(): Promise<{ readonly connectionPool: ConnectionPool }> };
}

/**
 * Resolves with the id of each topic, in the form that Kafka's own tools print. Rejects when one of them does not
 * exist.
 */
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
