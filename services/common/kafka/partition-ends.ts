// Finds where each partition of a topic ends. kafkajs' admin answers for no partition while one of them has no leader,
// and knows the end for readers only; this module asks each leader by itself.
import { createRequire } from "node:module";
import type { Kafka } from "kafkajs";
import { createCluster } from "./cluster.ts";
import { type BrokerAddress, type ConnectionPool, fetchMetadata, type PartitionMetadata } from "./metadata.ts";
import { whileRetriable } from "./offsets.ts";

/** By partition, the offset that its next message will get; undefined while no leader answers for it. */
export type Ends = ReadonlyMap<number, number | undefined>;

/**
 * For readers a partition ends before the first message of an unfinished transaction; for writers after everything that
 * is acknowledged.
 */
export type EndFor = "readers" | "writers";

export interface PartitionEnds {
  /** Rejects when no broker answers, or none knows the topic. */
  ask(topic: string): Promise<Ends>;
  close(): Promise<void>;
}

interface Broker {
  readonly connectionPool: ConnectionPool;
  /** Does nothing when it is connected. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** As much of kafkajs' cluster as is needed to reach each broker without kafkajs' own reading of the metadata. */
interface Cluster {
  /** Tries one broker after the other. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  readonly brokerPool: {
    readonly connectionPoolBuilder: { build(address: object): Promise<ConnectionPool> };
    readonly rootLogger: unknown;
    readonly versions: unknown;
    createBroker(options: object): Broker;
    findConnectedBroker(): Promise<Broker>;
  };
}

interface Listed {
  readonly responses: readonly {
    readonly partitions: readonly { readonly partition: number; readonly errorCode: number; readonly offset: string }[];
  }[];
}

type Request = Parameters<ConnectionPool["send"]>[0]["request"];

const require = createRequire(import.meta.url);
const encodeListOffsets: (
  asked: object,
) => Request = require("kafkajs/src/protocol/requests/listOffsets/v3/request.js");
const {
  decode,
}: { decode(bytes: Buffer): Promise<Listed> } = require("kafkajs/src/protocol/requests/listOffsets/v3/response.js");

const ISOLATION: Readonly<Record<EndFor, number>> = { writers: 0, readers: 1 };
const NO_REPLICA = -1;
const LATEST = -1;
const NO_ERROR = 0;

/** Connections are made when they are needed, and kept until it is closed. */
export function createPartitionEnds(kafka: Kafka, endFor: EndFor): PartitionEnds {
  const cluster = createCluster<Cluster>(kafka);
  const brokers = new Map<string, Promise<Broker>>();

  /** The address is part of the key, because a broker can move. */
  function brokerAt({ nodeId, host, port }: BrokerAddress): Promise<Broker> {
    const key = `${nodeId} ${host}:${port}`;
    const known = brokers.get(key) ?? openBroker(cluster, { nodeId, host, port });
    brokers.set(key, known);
    return known;
  }

  async function askLeader(address: BrokerAddress, topic: string, led: readonly PartitionMetadata[]): Promise<Ends> {
    const partitions = led.map(({ partition }) => ({ partition, timestamp: LATEST }));
    const asked = { replicaId: NO_REPLICA, isolationLevel: ISOLATION[endFor], topics: [{ topic, partitions }] };
    try {
      const broker = await brokerAt(address);
      await broker.connect();
      const listed = await broker.connectionPool.send({
        request: encodeListOffsets(asked),
        // kafkajs would refuse the whole answer for the error of one partition.
        response: { decode, parse: async (answer) => answer },
      });
      const found = listed.responses.flatMap((response) => response.partitions);
      return new Map(
        found.map(({ partition, errorCode, offset }) => [
          partition,
          errorCode === NO_ERROR ? Number(offset) : undefined,
        ]),
      );
    } catch {
      // The leader is gone: the other leaders still answer, and the next question finds the new one.
      return new Map();
    }
  }

  return {
    ask: (topic) =>
      whileRetriable(async () => {
        await cluster.connect();
        const { connectionPool } = await cluster.brokerPool.findConnectedBroker();
        const found = await fetchMetadata(connectionPool, [topic]);
        const partitions = found.topics.flatMap((each) => each.partitions);
        const byLeader = Map.groupBy(partitions, ({ leader }) => leader);
        const leaders = found.brokers.filter(({ nodeId }) => byLeader.has(nodeId));
        const answers = await Promise.all(
          leaders.map((address) => askLeader(address, topic, byLeader.get(address.nodeId) ?? [])),
        );
        const known = new Map(answers.flatMap((ends) => [...ends]));
        return new Map(partitions.map(({ partition }) => [partition, known.get(partition)]));
      }),

    async close() {
      await Promise.allSettled([...brokers.values()].map(async (broker) => (await broker).disconnect()));
      await cluster.disconnect();
    },
  };
}

async function openBroker({ brokerPool }: Cluster, { nodeId, host, port }: BrokerAddress): Promise<Broker> {
  const connectionPool = await brokerPool.connectionPoolBuilder.build({ host, port });
  const { rootLogger: logger, versions } = brokerPool;
  return brokerPool.createBroker({ logger, versions, connectionPool, nodeId });
}

/** One question, on connections of its own. */
export async function askPartitionEnds(kafka: Kafka, topic: string, endFor: EndFor): Promise<Ends> {
  const ends = createPartitionEnds(kafka, endFor);
  try {
    return await ends.ask(topic);
  } finally {
    await ends.close();
  }
}
