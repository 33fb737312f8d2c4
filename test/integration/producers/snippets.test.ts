// The programs of docs/producers.md, run as they are written there.
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import { readCameraLog } from "../../../schemas/read-message.ts";
import { kafkaArtifact } from "../../../services/embedded/parts/kafka.ts";
import { type Artifact, fetchArtifact } from "../../../services/embedded/tools/artifacts.ts";
import { findJava } from "../../../services/embedded/tools/java.ts";
import { projectorEnv } from "../../../services/projector/config.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { fetchPythonPackages } from "../../support/running/python.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const CAMERAS = ["entrance", "yard 2", "Lagertür", "b7d0f0f6-5a4f-4d0d-a1de-3f2f6a7a9d11", "x"];

const installation = await provideInstallation("producers");
/** Below the root, where programs find its packages. */
const dir = join(root, ".tracklog", installation.namespace);
const topic = installation.topic("camera-log");
const cacheDir = join(root, ".tracklog/cache");
const avroArtifact: Artifact = {
  folder: "avro-1.12.1",
  title: "Apache Avro 1.12.1",
  coordinates: "org.apache.avro:avro:1.12.1",
  how: "with-dependencies",
};
beforeAll(() => mkdir(dir, { recursive: true }));
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await installation.remove();
});

async function snippet(language: string, file: string): Promise<string> {
  const page = await readFile(join(root, "docs/producers.md"), "utf8");
  const [, code] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/producers.md has no ${language}`);
  const path = join(dir, file);
  await writeFile(path, code);
  return path;
}

/** The program writes a message for each camera; returns its messages, as a reader of the log judges them. */
async function checked(produce: () => Promise<unknown>) {
  const before = (await installation.read("camera-log")).length;
  await produce();
  const messages = await installation.read("camera-log");
  await installation.codec.loadSchemas(messages.map(({ message }) => message.value));
  const bounds = eventBoundsOf(installation.config(projectorEnv));
  const read = messages.map(({ partition, message: { value, timestamp } }) =>
    readCameraLog(installation.codec, { value, recordedAt: Number(timestamp), partition, bounds }),
  );
  expect(messages).toHaveLength(before + CAMERAS.length);
  expect(new Set(messages.map(({ message }) => String(message.key)))).toEqual(new Set(CAMERAS));
  return read.map((each) => (each.ok ? "accepted" : each.reason));
}

const accepted = (count: number) => Array.from({ length: count }, () => "accepted");

test("the TypeScript program writes into the partition of the data source, and readers accept its event", async () => {
  const program = await snippet("ts", "producer.ts");

  const verdicts = await checked(async () => {
    for (const camera of CAMERAS) {
      await run(process.execPath, [program], { env: { ...installation.variables, TOPIC: topic, DATA_SOURCE: camera } });
    }
  });

  expect(verdicts).toEqual(accepted(verdicts.length));
});

/** An argument with an umlaut is text in UTF-8. */
function programEnv(): Record<string, string> {
  const { PATH = "", JAVA_HOME = "", HOME = "" } = process.env;
  const java = JAVA_HOME === "" ? {} : { JAVA_HOME };
  const { SCHEMA_REGISTRY_URL } = installation.variables;
  return { PATH, HOME, LC_ALL: "C.UTF-8", SCHEMA_REGISTRY_URL, ...java };
}

test("the Java program does so without any setting", { timeout: 240_000 }, async () => {
  const program = await snippet("java", "Producer.java");
  const env = programEnv();
  const { signal } = new AbortController();
  const java = await findJava(env, signal);
  const context = { cacheDir, env, signal, onProgress: () => undefined };
  const jars = [await fetchArtifact(kafkaArtifact, context), await fetchArtifact(avroArtifact, context)];
  const classPath = jars.map((folder) => join(folder, "*")).join(delimiter);
  const properties = join(dir, "producer.properties");
  await writeFile(properties, propertiesOf(installation.variables));

  const verdicts = await checked(() =>
    run(java.file, ["-cp", classPath, program, properties, topic, ...CAMERAS], { env }),
  );

  expect(verdicts).toEqual(accepted(verdicts.length));
});

test("the Python program does so with the partitioner that it sets", { timeout: 240_000 }, async () => {
  const program = await snippet("python", "producer.py");
  const packages = await fetchPythonPackages(cacheDir, ["confluent-kafka==2.16.1", "fastavro==1.13.1"]);
  const { KAFKA_BROKERS, KAFKA_SASL_USERNAME = "", KAFKA_SASL_PASSWORD = "" } = installation.variables;
  const env = { ...programEnv(), PYTHONPATH: packages, KAFKA_BROKERS, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD };

  const verdicts = await checked(() => run("python3", [program, topic, ...CAMERAS], { env }));

  expect(verdicts).toEqual(accepted(verdicts.length));
});

function propertiesOf(variables: Readonly<Record<string, string | undefined>>): string {
  const { KAFKA_BROKERS = "", KAFKA_SASL_USERNAME = "", KAFKA_SASL_PASSWORD = "" } = variables;
  const module = "org.apache.kafka.common.security.plain.PlainLoginModule";
  const login = `${module} required username="${KAFKA_SASL_USERNAME}" password="${KAFKA_SASL_PASSWORD}";`;
  const sasl = ["security.protocol=SASL_PLAINTEXT", "sasl.mechanism=PLAIN", `sasl.jaas.config=${login}`];
  return [`bootstrap.servers=${KAFKA_BROKERS}`, ...(KAFKA_SASL_USERNAME === "" ? [] : sasl)].join("\n");
}
