// Reads stretches of partitions without a group: nothing of it is left at the broker, and nothing is fetched before the
// caller wants it.
import { createRequire } from "node:module";
import type { Kafka, KafkaMessage } from "kafkajs";
import type { Part } from "../lifecycle.ts";
import { createCluster } from "./cluster.ts";
import type { PartitionId } from "./inboxes.ts";
import { whileRetriable } from "./offsets.ts";

export interface Fetched {
  /** Without the marks of transactions, and without what they took back. */
  readonly messages: readonly KafkaMessage[];
  /** Offset to fetch next; the one asked for when the log ends there. */
  readonly next: number;
}

export interface LogFetcher extends Part {
  /** Resolves at once, also when there is nothing. Rejects when the log does not have the offset any more. */
  fetch(id: PartitionId, offset: number): Promise<Fetched>;
}

/** As much of kafkajs' cluster of brokers as a fetch needs. */
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addTargetTopic(topic: string): Promise<void>;
  refreshMetadata(): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, readonly number[]>>;
  findBroker(id: { readonly nodeId: string }): Promise<Broker>;
}

interface Broker {
  fetch(request: {
    readonly isolationLevel: number;
    readonly maxWaitTime: number;
    readonly minBytes: number;
    readonly maxBytes: number;
    readonly topics: readonly {
      readonly topic: string;
      readonly partitions: readonly {
        readonly partition: number;
        readonly fetchOffset: string;
        readonly maxBytes: number;
      }[];
    }[];
  }): Promise<{ readonly responses: readonly { readonly partitions: readonly unknown[] }[] }>;
}

interface Batch {
  readonly messages: readonly KafkaMessage[];
  isEmptyIncludingFiltered(): boolean;
  lastOffset(): string;
}

const require = createRequire(import.meta.url);
const BatchClass: new (
  topic: string,
  fetchedOffset: string,
  data: unknown,
) => Batch = require("kafkajs/src/consumer/batch.js");

const READ_COMMITTED = 1;

/** `maxBytes`: of one answer; a larger message comes alone. */
export function createLogFetcher(kafka: Kafka, maxBytes: number): LogFetcher {
  const cluster = createCluster<Cluster>(kafka);
  let isStale = false;

  async function fetchOnce({ topic, partition }: PartitionId, offset: number): Promise<Fetched> {
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    if (isStale) await cluster.refreshMetadata();
    isStale = false;
    const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
    const broker = await cluster.findBroker({ nodeId: nodeId ?? "" });
    const fetchOffset = String(offset);
    const { responses } = await broker.fetch({
      ...{ isolationLevel: READ_COMMITTED, maxWaitTime: 0, minBytes: 0, maxBytes },
      topics: [{ topic, partitions: [{ partition, fetchOffset, maxBytes }] }],
    });
    const batch = new BatchClass(topic, fetchOffset, responses[0]?.partitions[0]);
    const next = batch.isEmptyIncludingFiltered() ? offset : Number(batch.lastOffset()) + 1;
    return { messages: batch.messages, next };
  }

  return {
    name: "log fetcher",
    start: () => cluster.connect(),
    stop: () => cluster.disconnect(),
    fetch: (id, offset) =>
      whileRetriable(async () => {
        try {
          return await fetchOnce(id, offset);
        } catch (error) {
          isStale = true;
          throw error;
        }
      }),
  };
}
