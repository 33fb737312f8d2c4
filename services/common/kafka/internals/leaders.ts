// Reaches the leader of each partition of a topic. kafkajs keeps one set of metadata per client, which every call
// replaces. Here each call has metadata of its own, and partitions without a leader do not make it fail.
import { type BrokerAddress, type ConnectionPool, fetchMetadata } from "./metadata.ts";

export interface LeadingBroker {
  readonly connectionPool: ConnectionPool;
  /** Does nothing when it is already connected. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  listOffsets(asked: { readonly topics: readonly object[] }): Promise<ListedOffsets>;
}

export interface ListedOffsets {
  readonly responses: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly errorCode: number; readonly offset: string }[];
  }[];
}

/**
 * The members of kafkajs' cluster that are needed to reach each broker without kafkajs' own parsing of the metadata.
 */
export interface LeadersCluster {
  readonly brokerPool: {
    readonly connectionPoolBuilder: { build(address: object): Promise<ConnectionPool> };
    readonly rootLogger: unknown;
    readonly versions: unknown;
    createBroker(options: object): LeadingBroker;
    /** Connects when no broker is connected. */
    findConnectedBroker(): Promise<{ readonly connectionPool: ConnectionPool }>;
  };
}

export interface Leader {
  readonly partitions: readonly number[];
  /** Resolves when the broker is connected. */
  connected(): Promise<LeadingBroker>;
}

export interface LeaderOfTopics extends Pick<Leader, "connected"> {
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

export interface Leaders {
  /** Rejects when no broker answers, or none has the topic. */
  of(topic: string): Promise<{ readonly partitions: readonly number[]; readonly leaders: readonly Leader[] }>;
  /** Finds the leaders of several topics with one request. Rejects when no broker answers. */
  ofAll(topics: readonly string[]): Promise<readonly LeaderOfTopics[]>;
  close(): Promise<void>;
}

/** Connections are made when they are needed, and kept until `close`. */
export function createLeaders({ brokerPool }: LeadersCluster): Leaders {
  const brokers = new Map<string, Promise<LeadingBroker>>();

  async function open({ nodeId, host, port }: BrokerAddress): Promise<LeadingBroker> {
    const connectionPool = await brokerPool.connectionPoolBuilder.build({ host, port });
    const { rootLogger: logger, versions } = brokerPool;
    return brokerPool.createBroker({ logger, versions, connectionPool, nodeId });
  }

  /** The address is part of the key, because a broker can move. */
  async function connected(address: BrokerAddress): Promise<LeadingBroker> {
    const key = `${address.nodeId} ${address.host}:${address.port}`;
    const known = brokers.get(key) ?? open(address);
    brokers.set(key, known);
    const broker = await known;
    await broker.connect();
    return broker;
  }

  return {
    async of(topic) {
      const { connectionPool } = await brokerPool.findConnectedBroker();
      const found = await fetchMetadata(connectionPool, [topic]);
      const all = found.topics.flatMap(({ partitions }) => partitions);
      const leaders = found.brokers.map((address) => ({
        partitions: all.filter(({ leader }) => leader === address.nodeId).map(({ partition }) => partition),
        connected: () => connected(address),
      }));
      return {
        partitions: all.map(({ partition }) => partition),
        leaders: leaders.filter(({ partitions }) => partitions.length > 0),
      };
    },

    async ofAll(topics) {
      const { connectionPool } = await brokerPool.findConnectedBroker();
      const found = await fetchMetadata(connectionPool, topics);
      const ledBy = (nodeId: number) =>
        found.topics.flatMap(({ name, partitions }) => {
          const led = partitions.filter(({ leader }) => leader === nodeId).map(({ partition }) => partition);
          return led.length === 0 ? [] : [{ topic: name, partitions: led }];
        });
      return found.brokers
        .map((address) => ({ topics: ledBy(address.nodeId), connected: () => connected(address) }))
        .filter((leader) => leader.topics.length > 0);
    },

    async close() {
      const open = [...brokers.values()];
      brokers.clear();
      await Promise.allSettled(open.map(async (broker) => (await broker).disconnect()));
    },
  };
}
