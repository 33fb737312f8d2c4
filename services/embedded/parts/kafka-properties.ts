import { MIB } from "../../../schemas/units.ts";
import { LOOPBACK } from "../tools/free-port.ts";

interface Addresses {
  readonly dataDir: string;
  readonly port: number;
  readonly controllerPort: number;
}

const MAX_MESSAGE_BYTES = 8 * MIB;

type Properties = Readonly<Record<string, string | number | boolean>>;

/** Properties that a single KRaft node, broker and controller in one, needs on any machine. */
export const singleNodeProperties: Properties = {
  "process.roles": "broker,controller",
  "node.id": 1,
  "controller.listener.names": "CONTROLLER",
  "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
  "auto.create.topics.enable": false,
  "message.max.bytes": MAX_MESSAGE_BYTES,
  "replica.fetch.max.bytes": MAX_MESSAGE_BYTES,
  // One node has no other to copy to. With few partitions of Kafka's own topics the first consumer starts sooner.
  "offsets.topic.replication.factor": 1,
  "offsets.topic.num.partitions": 8,
  "transaction.state.log.replication.factor": 1,
  "transaction.state.log.min.isr": 1,
  "transaction.state.log.num.partitions": 8,
  "share.coordinator.state.topic.replication.factor": 1,
  "share.coordinator.state.topic.min.isr": 1,
  "share.coordinator.state.topic.num.partitions": 1,
  // A group starts at once instead of waiting 3 s for more members; a member may request a session time-out of 1 s.
  "group.initial.rebalance.delay.ms": 0,
  "group.min.session.timeout.ms": 1_000,
  // The default of 128 MiB is a third of the heap.
  "log.cleaner.dedupe.buffer.size": 16 * MIB,
  "num.network.threads": 2,
  "num.io.threads": 4,
};

interface User {
  readonly name: string;
  readonly password: string;
}

/**
 * Returns the server.properties of a node on this machine. The node admits this user only, and logs in as this user
 * itself.
 */
export function kafkaProperties({ dataDir, port, controllerPort }: Addresses, { name, password }: User): string {
  const login = `org.apache.kafka.common.security.plain.PlainLoginModule required username="${name}" password="${password}" user_${name}="${password}";`;
  const properties: Properties = {
    ...singleNodeProperties,
    // The controller otherwise writes an empty record twice a second, for other controllers.
    "metadata.max.idle.interval.ms": 0,
    // The controller's port needs a login as well: through it, topics can be deleted.
    "listener.security.protocol.map": "CLIENT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
    "inter.broker.listener.name": "CLIENT",
    "sasl.enabled.mechanisms": "PLAIN",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "sasl.mechanism.controller.protocol": "PLAIN",
    "listener.name.client.plain.sasl.jaas.config": login,
    "listener.name.controller.plain.sasl.jaas.config": login,
    "controller.quorum.voters": `1@${LOOPBACK}:${controllerPort}`,
    listeners: `CLIENT://${LOOPBACK}:${port},CONTROLLER://${LOOPBACK}:${controllerPort}`,
    "advertised.listeners": `CLIENT://${LOOPBACK}:${port}`,
    "log.dirs": dataDir,
  };
  return `${Object.entries(properties)
    .map(([name, value]) => `${name}=${String(value).replaceAll("\\", "\\\\")}`)
    .join("\n")}\n`;
}
