import { expect, test } from "vitest";
import { kafkaArtifact } from "../../../services/embedded/parts/kafka.ts";
import { readText } from "../../structure/repository.ts";

test("the page of known holes has the versions that are run", () => {
  const page = readText("docs/known-holes.md");
  const compose = readText("docker-compose.yml");
  const registry = readText("services/embedded/parts/registry.ts");
  const redis = readText("services/embedded/parts/redis.ts");
  const containers = readText("test/support/running/containers.ts");
  const versionOf = (part: string) =>
    new RegExp(`^\\| ${part} \\| (\\S+) \\|`, "m").exec(page)?.[1] ?? "not on the page";

  expect(kafkaArtifact.coordinates).toContain(`kafka_2.13:${versionOf("Apache Kafka")} `);
  expect(registry).toContain(`"${versionOf("Apicurio Registry")}"`);
  expect(redis).toContain(`:${versionOf("Redis, embedded")}`);
  for (const images of [compose, containers]) {
    expect(images).toContain(`apache/kafka:${versionOf("Apache Kafka")}`);
    expect(images).toContain(`redis:${versionOf("Redis, container")}`);
    expect(images).toContain(`clickhouse-server:${versionOf("ClickHouse, container")}`);
    expect(images).toContain(`:${versionOf("Apicurio Registry")}`);
  }
});
