// Three Kafka nodes on this machine, each broker and controller, for tests that need several: copies, leaders that
// move, and writes that find too few copies.
import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLog } from "../../../services/common/log.ts";
import { kafkaArtifact } from "../../../services/embedded/parts/kafka.ts";
import { singleNodeProperties } from "../../../services/embedded/parts/kafka-properties.ts";
import { fetchArtifact } from "../../../services/embedded/tools/artifacts.ts";
import { killGroup } from "../../../services/embedded/tools/child.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { findJava, type Java } from "../../../services/embedded/tools/java.ts";
import { probeTcp } from "../../../services/embedded/tools/probe.ts";
import { supervise } from "../../../services/embedded/tools/supervised.ts";
import { runTool } from "../../../services/embedded/tools/tool.ts";
import { until } from "./processes.ts";

export interface KafkaNode {
  /** SIGKILL; the node is away until it is started. */
  halt(): Promise<void>;
  start(): Promise<void>;
  /** undefined while it is away. A node that is killed from outside is started again as a new process. */
  pid(): number | undefined;
}

export interface KafkaCluster {
  /** The variables for its address, and the replication factor of its topics. */
  readonly env: Readonly<Record<string, string>>;
  readonly nodes: readonly KafkaNode[];
  /** Resolves when every partition has all its copies. */
  inSync(): Promise<void>;
  stop(): Promise<void>;
}

export const NODES = 3;
const CACHE_DIR = fileURLToPath(new URL("../../../.tracklog/cache", import.meta.url));
const STOP_GRACE_MS = 5_000;
const IN_SYNC_WITHIN_MS = 120_000;
const HOST = "127.0.0.1";

interface Ports {
  readonly broker: number;
  readonly controller: number;
}

/** Data and logs are kept below `dir`. */
export async function startKafkaCluster(dir: string): Promise<KafkaCluster> {
  const { PATH = "", JAVA_HOME = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...(JAVA_HOME === "" ? {} : { JAVA_HOME }) };
  const { signal } = new AbortController();
  const java = await findJava(env, signal);
  const program = await fetchArtifact(kafkaArtifact, { cacheDir: CACHE_DIR, env, signal, onProgress: () => undefined });
  const ports = await Promise.all(
    Array.from({ length: NODES }, async () => ({ broker: await freePort(), controller: await freePort() })),
  );
  const clusterId = randomBytes(16).toString("base64url").replace(/^-/, "A");
  const nodes = await Promise.all(
    ports.map(async (_, index) => {
      const nodeDir = join(dir, `node-${index + 1}`);
      await mkdir(nodeDir, { recursive: true });
      const properties = join(nodeDir, "server.properties");
      await writeFile(properties, propertiesOf(index, ports, join(nodeDir, "data")));
      const format = ["kafka.tools.StorageTool", "format", "-t", clusterId, "-c", properties];
      const args = [...javaArguments(program, java), ...format];
      const { exitCode, output } = await runTool({ file: java.file, args, env, signal });
      if (exitCode !== 0) throw new Error(`storage not formatted: ${output}`);
      return createNode(java, program, env, properties, ports[index]?.broker ?? 0, join(nodeDir, "kafka.log"));
    }),
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

function createNode(
  java: Java,
  program: string,
  env: Readonly<Record<string, string>>,
  properties: string,
  port: number,
  logFile: string,
): KafkaNode & { stop(): Promise<void> } {
  let pid: number | undefined;
  const node = supervise(
    {
      title: "A Kafka node",
      command: { file: java.file, args: [...javaArguments(program, java), "kafka.Kafka", properties], env },
      logFile,
      probe: () => probeTcp(port, "", ""),
      stopGraceMs: STOP_GRACE_MS,
    },
    (now) => {
      pid = now ?? undefined;
    },
  );
  // Each node leads its own process group: no other process would end it.
  process.once("exit", () => killGroup(pid));
  return { start: node.start, halt: node.halt, stop: node.stop, pid: () => pid };
}

function javaArguments(program: string, { version }: Java): string[] {
  const archive = join(program, `java-${version}.jsa`);
  const archived = existsSync(archive) && statSync(archive).size > 0;
  return [
    ...(archived ? [`-XX:SharedArchiveFile=${archive}`] : []),
    "-Xmx256m",
    "-XX:+UseSerialGC",
    // These nodes live for a minute: the second compiler would work for code that they hardly run any more.
    "-XX:TieredStopAtLevel=1",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-cp",
    join(program, "*"),
  ];
}

function propertiesOf(index: number, ports: readonly Ports[], dataDir: string): string {
  const own = ports[index];
  const properties = {
    ...singleNodeProperties,
    "node.id": index + 1,
    "controller.quorum.voters": ports.map(({ controller }, i) => `${i + 1}@${HOST}:${controller}`).join(","),
    listeners: `PLAINTEXT://${HOST}:${own?.broker},CONTROLLER://${HOST}:${own?.controller}`,
    "advertised.listeners": `PLAINTEXT://${HOST}:${own?.broker}`,
    "log.dirs": dataDir,
    "min.insync.replicas": NODES - 1,
    "offsets.topic.replication.factor": NODES,
    "transaction.state.log.replication.factor": NODES,
    "transaction.state.log.min.isr": NODES - 1,
  };
  return `${Object.entries(properties)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n")}\n`;
}
