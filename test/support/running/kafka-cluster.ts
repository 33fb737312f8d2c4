// Three Kafka nodes on this machine, each broker and controller, for tests that need several: copies, leaders that
// move, and writes that find too few copies.
import { join } from "node:path";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLog } from "../../../services/common/log.ts";
import { singleNodeProperties } from "../../../services/embedded/parts/kafka-properties.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { findKafka, type KafkaNode, type KafkaProperties, newClusterId, prepareNode } from "./kafka-node.ts";
import { until } from "./processes.ts";

export interface KafkaCluster {
  /** The variables for its address, and the replication factor of its topics. */
  readonly env: Readonly<Record<string, string>>;
  readonly nodes: readonly KafkaNode[];
  /** Resolves when every partition has all its copies. */
  inSync(): Promise<void>;
  stop(): Promise<void>;
}

export const NODES = 3;
const IN_SYNC_WITHIN_MS = 120_000;
const HOST = "127.0.0.1";

interface Ports {
  readonly broker: number;
  readonly controller: number;
}

/** Data and logs are kept below `dir`. */
export async function startKafkaCluster(dir: string): Promise<KafkaCluster> {
  const program = await findKafka();
  const ports = await Promise.all(
    Array.from({ length: NODES }, async () => ({ broker: await freePort(), controller: await freePort() })),
  );
  const clusterId = newClusterId();
  const nodes = await Promise.all(
    ports.map(({ broker }, index) =>
      prepareNode(program, {
        dir: join(dir, `node-${index + 1}`),
        clusterId,
        properties: propertiesOf(index, ports),
        port: broker,
      }),
    ),
  );
  // A node answers only when it has a quorum, so all start at once.
  await Promise.all(nodes.map((node) => node.start()));
  const clusterEnv = {
    KAFKA_BROKERS: ports.map(({ broker }) => `${HOST}:${broker}`).join(","),
    // The stores beside it may ask for a password; these nodes do not.
    KAFKA_SASL_USERNAME: "",
    TOPIC_REPLICATION_FACTOR: String(NODES),
  };
  return {
    env: clusterEnv,
    nodes,
    inSync: () => untilInSync(clusterEnv),
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}

async function untilInSync(env: KafkaCluster["env"]): Promise<void> {
  const admin = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent")).admin();
  await admin.connect();
  try {
    await until(
      async () => {
        const { topics } = await admin.fetchTopicMetadata();
        return topics.every(({ partitions }) =>
          partitions.every(({ isr, replicas }) => isr.length === replicas.length),
        );
      },
      { timeoutMs: IN_SYNC_WITHIN_MS },
    );
  } finally {
    await admin.disconnect();
  }
}

function propertiesOf(index: number, ports: readonly Ports[]): KafkaProperties {
  const own = ports[index];
  return {
    ...singleNodeProperties,
    "node.id": index + 1,
    "controller.quorum.voters": ports.map(({ controller }, i) => `${i + 1}@${HOST}:${controller}`).join(","),
    listeners: `PLAINTEXT://${HOST}:${own?.broker},CONTROLLER://${HOST}:${own?.controller}`,
    "advertised.listeners": `PLAINTEXT://${HOST}:${own?.broker}`,
    "min.insync.replicas": NODES - 1,
    "offsets.topic.replication.factor": NODES,
    "transaction.state.log.replication.factor": NODES,
    "transaction.state.log.min.isr": NODES - 1,
  };
}
