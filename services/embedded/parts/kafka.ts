import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Artifact } from "../tools/artifacts.ts";
import { prepareDir, writeSecret } from "../tools/data-dir.ts";
import { EmbeddedError } from "../tools/errors.ts";
import { freePort, LOOPBACK } from "../tools/free-port.ts";
import { newPassword } from "../tools/password.ts";
import { probeTcp } from "../tools/probe.ts";
import { runTool } from "../tools/tool.ts";
import { type JavaRun, prepareJava } from "./java-part.ts";
import { kafkaProperties } from "./kafka-properties.ts";
import type { Prepare, Prepared } from "./part.ts";

export const kafkaArtifact: Artifact = {
  folder: "kafka-4.1.2",
  title: "Apache Kafka 4.1.2",
  coordinates: "org.apache.kafka:kafka_2.13:4.1.2 org.slf4j:slf4j-simple:1.7.36",
  how: "with-dependencies",
};

const STOP_GRACE_MS = 2_500;

export const prepareKafka: Prepare = prepareJava(kafkaArtifact, "kafka", kafkaOn);

async function kafkaOn(run: JavaRun): Promise<Prepared> {
  const { context, dir } = run;
  await prepareDir(dir);
  const port = await freePort();
  const properties = join(dir, "server.properties");
  const user = { name: "tracklog", password: newPassword() };
  const addresses = { dataDir: join(dir, "data"), port, controllerPort: await freePort() };
  // The ports are new at each start, and with them the advertised listener.
  await writeSecret(properties, kafkaProperties(addresses, user));
  await format(run, properties);
  return {
    env: {
      KAFKA_BROKERS: `${LOOPBACK}:${port}`,
      KAFKA_SSL: "false",
      KAFKA_SASL_MECHANISM: "PLAIN",
      KAFKA_SASL_USERNAME: user.name,
      KAFKA_SASL_PASSWORD: user.password,
    },
    spec: {
      title: "Kafka",
      command: {
        file: run.java,
        args: [...run.jvmArgs, ...javaArguments(run.program), "kafka.Kafka", properties],
        env: context.env,
      },
      logFile: join(context.logDir, "kafka.log"),
      // The broker opens its port last, when it is ready for requests.
      probe: () => probeTcp(port, "", ""),
      stopGraceMs: STOP_GRACE_MS,
    },
  };
}

// Both compilers stay on: with the first alone the start is 0.4 s shorter, but the broker stays slower.
const javaArguments = (program: string): string[] => [
  "-Xmx384m",
  "-XX:+UseSerialGC",
  "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
  "-Dorg.slf4j.simpleLogger.showDateTime=true",
  "-cp",
  join(program, "*"),
];

/** Gives the log directory its identity, once; the marker is written last, so an interrupted run is repeated. */
async function format({ context, java, program, dir }: JavaRun, properties: string): Promise<void> {
  const mark = join(dir, "formatted");
  if (existsSync(mark)) return;
  await rm(join(dir, "data"), { recursive: true, force: true });
  const clusterId = randomBytes(16).toString("base64url").replace(/^-/, "A");
  const { exitCode, output } = await runTool({
    file: java,
    args: [
      "-XX:TieredStopAtLevel=1",
      ...javaArguments(program),
      "kafka.tools.StorageTool",
      ...["format", "-t", clusterId, "-c", properties],
    ],
    env: context.env,
    signal: context.signal,
  });
  if (exitCode !== 0) throw new EmbeddedError(`The Kafka storage in ${dir} could not be formatted:\n${output}`);
  await writeFile(mark, `${clusterId}\n`);
}
