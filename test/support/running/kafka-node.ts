// One Kafka node of a test: its program, its storage, its process.
import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kafkaArtifact } from "../../../services/embedded/parts/kafka.ts";
import { fetchArtifact } from "../../../services/embedded/tools/artifacts.ts";
import { killGroup } from "../../../services/embedded/tools/child.ts";
import { findJava, type Java } from "../../../services/embedded/tools/java.ts";
import { probeTcp } from "../../../services/embedded/tools/probe.ts";
import { supervise } from "../../../services/embedded/tools/supervised.ts";
import { runTool } from "../../../services/embedded/tools/tool.ts";

export interface KafkaNode {
  /** SIGKILL; the node is away until it is started. */
  halt(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** undefined while it is away. A node that is killed from outside is started again as a new process. */
  pid(): number | undefined;
}

export interface KafkaProgram {
  readonly java: Java;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export type KafkaProperties = Readonly<Record<string, string | number | boolean>>;

export interface KafkaNodeOptions {
  /** Folder of its data and its log, `kafka.log`. */
  readonly dir: string;
  readonly clusterId: string;
  /** `log.dirs` is added. */
  readonly properties: KafkaProperties;
  readonly port: number;
  readonly formatArgs?: readonly string[];
  readonly jvmArgs?: readonly string[];
}

export const CACHE_DIR = fileURLToPath(new URL("../../../.tracklog/cache", import.meta.url));
const STOP_GRACE_MS = 5_000;

export const newClusterId = (): string => randomBytes(16).toString("base64url").replace(/^-/, "A");

export async function findKafka(): Promise<KafkaProgram> {
  const { PATH = "", JAVA_HOME = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...(JAVA_HOME === "" ? {} : { JAVA_HOME }) };
  const { signal } = new AbortController();
  const java = await findJava(env, signal);
  const fetching = { cacheDir: CACHE_DIR, env, signal, onProgress: () => undefined };
  return { java, env, folder: await fetchArtifact(kafkaArtifact, fetching) };
}

/** Formats its storage; the node is not started yet. */
export async function prepareNode(program: KafkaProgram, options: KafkaNodeOptions): Promise<KafkaNode> {
  const { dir, clusterId, formatArgs = [], jvmArgs = [] } = options;
  await mkdir(dir, { recursive: true });
  const file = join(dir, "server.properties");
  const properties = Object.entries({ ...options.properties, "log.dirs": join(dir, "data") });
  await writeFile(file, `${properties.map(([name, value]) => `${name}=${value}`).join("\n")}\n`);
  const args = [...javaArguments(program), ...jvmArgs];
  const format = ["kafka.tools.StorageTool", "format", "-t", clusterId, "-c", file, ...formatArgs];
  const { java, env } = program;
  const { signal } = new AbortController();
  const { exitCode, output } = await runTool({ file: java.file, args: [...args, ...format], env, signal });
  if (exitCode !== 0) throw new Error(`storage not formatted: ${output}`);
  let pid: number | undefined;
  const node = supervise(
    {
      title: "A Kafka node",
      command: { file: java.file, args: [...args, "kafka.Kafka", file], env },
      logFile: join(dir, "kafka.log"),
      probe: () => probeTcp(options.port, "", ""),
      stopGraceMs: STOP_GRACE_MS,
    },
    (now) => {
      pid = now ?? undefined;
    },
  );
  // Each node leads its own process group: no other process would end it.
  process.once("exit", () => killGroup(pid));
  return { ...node, pid: () => pid };
}

function javaArguments({ folder, java }: KafkaProgram): string[] {
  const archive = join(folder, `java-${java.version}.jsa`);
  const archived = existsSync(archive) && statSync(archive).size > 0;
  return [
    ...(archived ? [`-XX:SharedArchiveFile=${archive}`] : []),
    "-Xmx256m",
    "-XX:+UseSerialGC",
    // These nodes live for a minute: the second compiler would work for code that they hardly run any more.
    "-XX:TieredStopAtLevel=1",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-cp",
    join(folder, "*"),
  ];
}
