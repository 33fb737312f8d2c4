// Checks the parts of kafkajs that tracklog uses beyond its public interface, before the first connection: after an
// upgrade a process ends with the name of the missing part, and does not lose messages later.
// services/common/kafka/internals/README.md lists these parts.
import { createRequire } from "node:module";
import type { Kafka } from "kafkajs";
import { PermanentError } from "../../permanent-errors.ts";
import { toTopicMessages } from "../write/topic-messages.ts";
import { createCluster } from "./cluster.ts";
import { METADATA_VERSIONS } from "./leaderless.ts";

const require = createRequire(import.meta.url);
const at = (path: string): unknown => require(`kafkajs/src/${path}`);

/** Modules that keep the functions they found when they were loaded, so our functions must be in place before. */
const KEEPING = [
  ...["v4", "v5", "v7", "v8", "v11"].map((version) => `protocol/requests/fetch/${version}/response.js`),
  "protocol/requests/produce/v3/request.js",
];
const CLUSTER = ["connect", "disconnect", "addTargetTopic", "refreshMetadata", "findLeaderForPartitions", "findBroker"];
const POOL = ["createBroker", "brokers", "findConnectedBroker", "connectionPoolBuilder", "rootLogger"];
const BROKER = ["connect", "disconnect", "fetch", "listOffsets", "lookupRequest", "connectionPool"];
const ENCODER = ["writeInt8", "writeInt32", "writeUVarIntString", "writeUVarIntArray"];
const DECODER = ["readInt8", "readInt16", "readInt32", "readBytes", "canReadBytes", "readUVarIntString"];
const MORE_DECODER = ["readUVarIntArray", "readTaggedFields"];

interface Pool {
  readonly rootLogger: unknown;
  createBroker(options: object): unknown;
}

/** Each check returns the names of the missing parts. A check that throws counts as missing. */
const checks: Readonly<Record<string, (kafka: Kafka) => readonly string[]>> = {
  "consumer/batch": () => [
    ...(fetchedOffsetOf("7") === 7 ? [] : ["fetchedOffset"]),
    ...missing(prototypeOf("consumer/batch.js"), ["isEmpty", "isEmptyDueToFiltering"]),
  ],
  "consumer/runner": () => [
    ...missing(prototypeOf("consumer/runner.js"), ["fetch", "heartbeat", "stop"]),
    ...missing(runner(), ["eachBatch", "heartbeatInterval", "consumerGroup"]),
  ],
  "consumer/offsetManager": () => missing(prototypeOf("consumer/offsetManager/index.js"), ["commitOffsets"]),
  "consumer/consumerGroup": () => missing(consumerGroup(), ["lastRequest", "heartbeat", "cluster"]),
  "private:Kafka:createCluster": (kafka) => {
    const cluster = createCluster<{ readonly brokerPool: Pool }>(kafka);
    const { brokerPool: pool } = cluster;
    const inPool = missing(pool, POOL);
    if (inPool.length > 0) return inPool;
    const connectionPool = { host: "", port: 0, connectionTimeout: 0 };
    const broker = pool.createBroker({ logger: pool.rootLogger, versions: null, connectionPool });
    return [...missing(cluster, CLUSTER), ...missing(broker, BROKER)];
  },
  broker: () => missing(prototypeOf("broker/index.js"), ["produce", "fetch"]),
  "cluster/brokerPool": () => missing(prototypeOf("cluster/brokerPool.js"), ["refreshMetadata"]),
  cluster: () => missing(prototypeOf("cluster/index.js"), ["findLeaderForPartitions", "fetchTopicsOffset"]),
  "protocol/requests/metadata": () =>
    METADATA_VERSIONS.flatMap((version) =>
      missing(at(`protocol/requests/metadata/v${version}/response.js`), ["parse"]),
    ),
  "network/requestQueue": () => missing(prototypeOf("network/requestQueue/index.js"), ["scheduleCheckPendingRequests"]),
  "protocol/encoder": () => missing(prototypeOf("protocol/encoder.js"), ENCODER),
  "protocol/decoder": () => missing(prototypeOf("protocol/decoder.js"), [...DECODER, ...MORE_DECODER]),
  "protocol/error": () => missing(at("protocol/error.js"), ["createErrorFromCode"]),
  "protocol/requests/listOffsets/v3": () =>
    typeof at("protocol/requests/listOffsets/v3/request.js") === "function"
      ? missing(at("protocol/requests/listOffsets/v3/response.js"), ["decode"])
      : ["request"],
  "producer/groupMessagesPerPartition": () => (groupsAreOurs() ? [] : ["reduce of the messages"]),
};

/** Throws PermanentError. `replaced` has, for each replacement, whether it is in place. */
export function checkKafkajs(kafka: Kafka, replaced: Readonly<Record<string, boolean>>): void {
  const notInPlace = Object.keys(replaced).filter((name) => replaced[name] !== true);
  const wrong = Object.keys(checks).flatMap((name) => findingsOf(name, kafka).map((each) => `${name}: ${each}`));
  const all = [...notInPlace.map((name) => `${name}: not replaced`), ...wrong];
  if (all.length === 0) return;
  const { version }: { readonly version: string } = require("kafkajs/package.json");
  throw new PermanentError(`tracklog does not work with kafkajs ${version}: ${all.join("; ")}`);
}

/** Returns the modules of kafkajs that were loaded too early for a replacement. */
export const loadedTooEarly = (): readonly string[] =>
  KEEPING.filter((path) => require.cache[require.resolve(`kafkajs/src/${path}`)] !== undefined);

function findingsOf(name: string, kafka: Kafka): readonly string[] {
  try {
    return checks[name]?.(kafka) ?? [];
  } catch (error) {
    return [String(error)];
  }
}

const missing = (target: unknown, names: readonly string[]): readonly string[] =>
  names.filter((name) => typeof target !== "object" || target === null || Reflect.get(target, name) === undefined);

function prototypeOf(path: string): unknown {
  const found = at(path);
  return typeof found === "function" ? found.prototype : undefined;
}

function runner(): unknown {
  const Runner = at("consumer/runner.js") as new (options: object) => unknown;
  const logger = { namespace: () => logger };
  return new Runner({ logger, eachBatch: async () => undefined, heartbeatInterval: 1, consumerGroup: {} });
}

function consumerGroup(): unknown {
  const ConsumerGroup = at("consumer/consumerGroup.js") as new (options: object) => unknown;
  return new ConsumerGroup({ logger: { namespace: () => undefined }, cluster: {} });
}

function fetchedOffsetOf(offset: string): number {
  const BatchClass = at("consumer/batch.js") as new (topic: string, fetchedOffset: string, data: object) => object;
  const batch = new BatchClass("topic", offset, {
    abortedTransactions: [],
    messages: [],
    partition: 0,
    highWatermark: "0",
  });
  return Number(Reflect.get(batch, "fetchedOffset"));
}

/** True when kafkajs takes over the groups that the messages bring along, instead of grouping them again. */
function groupsAreOurs(): boolean {
  const group = at("producer/groupMessagesPerPartition.js") as (asked: object) => unknown;
  const message = { topic: "topic", key: null, value: null, partition: 3 };
  const [sent] = toTopicMessages(new Map([["topic/3", [{ message, partition: 3 }]]]));
  const grouped = group({ ...sent, partitionMetadata: [{ partitionId: 0 }], partitioner: () => 0 });
  return JSON.stringify(grouped) === JSON.stringify({ 3: [{ key: null, value: null, partition: 3 }] });
}
