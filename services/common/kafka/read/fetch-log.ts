// Reads ranges of partitions without a group: it leaves no trace on the broker, and fetches nothing before the caller
// asks.
import { createRequire } from "node:module";
import type { Kafka, KafkaMessage } from "kafkajs";
import type { Part } from "../../lifecycle.ts";
import { createCluster } from "../internals/cluster.ts";
import { whileRetriable } from "../offsets.ts";
import type { PartitionId } from "./inboxes.ts";

export interface FetchedMessages {
  /** Excludes the markers of transactions, and the messages of aborted ones. */
  readonly messages: readonly KafkaMessage[];
  /** Offset to fetch next; equal to the requested one at the end of the log. */
  readonly next: number;
}

export interface LogFetcher extends Part {
  /** Resolves without waiting for messages, even when there are none. Rejects when the log no longer has the offset. */
  fetch(id: PartitionId, offset: number): Promise<FetchedMessages>;
}

/** The members of kafkajs' cluster that a fetch needs. */
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

/** `maxBytes` limits one answer; a larger message comes alone. */
export function createLogFetcher(kafka: Kafka, maxBytes: number): LogFetcher {
  const cluster = createCluster<Cluster>(kafka);
  let isStale = false;

  async function fetchOnce({ topic, partition }: PartitionId, offset: number): Promise<FetchedMessages> {
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    if (isStale) await cluster.refreshMetadata();
    isStale = false;
    const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
    const broker = await cluster.findBroker({ nodeId: nodeId ?? "" });
    const fetchOffset = String(offset);
    const { responses } = await broker.fetch({
      isolationLevel: READ_COMMITTED,
      maxWaitTime: 0,
      minBytes: 0,
      maxBytes,
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
