import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Artifact, fetchArtifact } from "../artifacts.ts";
import { prepareDir } from "../data-dir.ts";
import { EmbeddedError } from "../errors.ts";
import { freePort, LOOPBACK } from "../free-port.ts";
import { probeTcp } from "../probe.ts";
import { runTool } from "../tool.ts";
import { kafkaProperties } from "./kafka-properties.ts";
import type { PartContext, Prepare } from "./part.ts";

const artifact: Artifact = {
  folder: "kafka-4.1.0",
  title: "Apache Kafka 4.1.0",
  coordinates: "org.apache.kafka:kafka_2.13:4.1.0 org.slf4j:slf4j-simple:1.7.36",
  how: "with-dependencies",
};

const STOP_GRACE_MS = 3_000;

export const prepareKafka: Prepare = async (context) => {
  const [java, program] = await Promise.all([context.java(), fetchArtifact(artifact, context)]);
  const dir = join(context.dataDir, "kafka");
  await prepareDir(dir);
  const port = await freePort();
  const properties = join(dir, "server.properties");
  // The ports are new at each start, and with them the advertised listener.
  await writeFile(properties, kafkaProperties({ dataDir: join(dir, "data"), port, controllerPort: await freePort() }));
  await format(context, { java, program, dir, properties });
  return {
    env: { KAFKA_BROKERS: `${LOOPBACK}:${port}` },
    spec: {
      title: "Kafka",
      command: { file: java, args: [...javaArguments(program), "kafka.Kafka", properties], env: context.env },
      logFile: join(context.logDir, "kafka.log"),
      // The broker opens its port last, when it is ready for requests.
      probe: () => probeTcp(port, "", ""),
      stopGraceMs: STOP_GRACE_MS,
    },
  };
};

const javaArguments = (program: string): string[] => [
  "-Xmx384m",
  "-XX:+UseSerialGC",
  "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
  "-Dorg.slf4j.simpleLogger.showDateTime=true",
  "-cp",
  join(program, "*"),
];

interface FormatRun {
  readonly java: string;
  readonly program: string;
  readonly dir: string;
  readonly properties: string;
}

/** Gives the log directory its identity, once; the mark is written last, so an interrupted run is done again. */
async function format(context: PartContext, run: FormatRun): Promise<void> {
  const mark = join(run.dir, "formatted");
  if (existsSync(mark)) return;
  await rm(join(run.dir, "data"), { recursive: true, force: true });
  const clusterId = randomBytes(16).toString("base64url").replace(/^-/, "A");
  const { exitCode, output } = await runTool({
    file: run.java,
    args: [
      "-XX:TieredStopAtLevel=1",
      ...javaArguments(run.program),
      "kafka.tools.StorageTool",
      ...["format", "-t", clusterId, "-c", run.properties],
    ],
    env: context.env,
    signal: context.signal,
  });
  if (exitCode !== 0) throw new EmbeddedError(`The Kafka storage in ${run.dir} could not be formatted:\n${output}`);
  await writeFile(mark, `${clusterId}\n`);
}
