// The stores in containers, where an engine answers.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { StartedTestContainer } from "testcontainers";
import { singleNodeProperties } from "../../../services/embedded/parts/kafka-properties.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";

type Testcontainers = typeof import("testcontainers");

export interface Engine {
  readonly containers: Testcontainers;
  /** Tests reach the mapped ports of containers at this host. */
  readonly host: string;
}

export interface Started {
  readonly env: Readonly<Record<string, string>>;
  readonly container: StartedTestContainer;
}

const DETECT_MS = 1_500;
const START_MS = 120_000;
const IMAGES = {
  kafka: "apache/kafka:4.1.2",
  registry: "apicurio/apicurio-registry-mem:2.6.13.Final",
  redis: "redis:7.4-alpine",
  clickhouse: "clickhouse/clickhouse-server:26.7",
} as const;

/** The container engine of this machine; undefined if none answers at once. */
export async function findEngine(): Promise<Engine | undefined> {
  const find = async (): Promise<Engine> => {
    // Loaded only here: loading takes half a second, also on machines that do not use containers.
    const containers = await import("testcontainers");
    const client = await containers.getContainerRuntimeClient();
    return { containers, host: client.info.containerRuntime.host };
  };
  return Promise.race([find().catch(() => undefined), delay(DETECT_MS, undefined, { ref: false })]);
}

export async function startKafka({ containers, host }: Engine): Promise<Started> {
  // Clients follow the advertised listener, so the port outside must be known before the broker starts.
  const port = await freePort();
  const properties = {
    ...singleNodeProperties,
    listeners: "PLAINTEXT://0.0.0.0:9092,CONTROLLER://0.0.0.0:9093",
    "advertised.listeners": `PLAINTEXT://${host}:${port}`,
    "controller.quorum.voters": "1@localhost:9093",
    "log.dirs": "/tmp/kafka-data",
  };
  const variables = Object.entries(properties).map(([name, value]) => [
    `KAFKA_${name.replaceAll(".", "_").toUpperCase()}`,
    String(value),
  ]);
  const container = await new containers.GenericContainer(IMAGES.kafka)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment(Object.fromEntries(variables))
    .withWaitStrategy(containers.Wait.forLogMessage("Kafka Server started"))
    .withStartupTimeout(START_MS)
    .start();
  return { container, env: { KAFKA_BROKERS: `${host}:${port}` } };
}

export async function startRegistry({ containers, host }: Engine): Promise<Started> {
  const path = "/apis/ccompat/v7";
  const container = await new containers.GenericContainer(IMAGES.registry)
    .withExposedPorts(8080)
    .withWaitStrategy(containers.Wait.forHttp(`${path}/subjects`, 8080))
    .withStartupTimeout(START_MS)
    .start();
  return { container, env: { SCHEMA_REGISTRY_URL: `http://${host}:${container.getMappedPort(8080)}${path}` } };
}

export async function startRedis({ containers, host }: Engine): Promise<Started> {
  const container = await new containers.GenericContainer(IMAGES.redis)
    .withExposedPorts(6379)
    .withCommand(["redis-server", "--appendonly", "yes"])
    .withWaitStrategy(containers.Wait.forLogMessage("Ready to accept connections"))
    .withStartupTimeout(START_MS)
    .start();
  return { container, env: { REDIS_URL: `redis://${host}:${container.getMappedPort(6379)}` } };
}

export async function startClickHouse({ containers, host }: Engine): Promise<Started> {
  const password = randomBytes(16).toString("hex");
  const container = await new containers.GenericContainer(IMAGES.clickhouse)
    .withExposedPorts(8123)
    .withEnvironment({ CLICKHOUSE_USER: "default", CLICKHOUSE_PASSWORD: password })
    .withUlimits({ nofile: { hard: 262_144, soft: 262_144 } })
    .withWaitStrategy(containers.Wait.forHttp("/ping", 8123))
    .withStartupTimeout(START_MS)
    .start();
  const url = `http://${host}:${container.getMappedPort(8123)}`;
  return { container, env: { CLICKHOUSE_URL: url, CLICKHOUSE_USER: "default", CLICKHOUSE_PASSWORD: password } };
}
