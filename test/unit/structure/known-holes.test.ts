import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { kafkaArtifact } from "../../../services/embedded/parts/kafka.ts";

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");

test("the page of known holes has the versions that are run", async () => {
  const [page, compose, registry, redis, containers] = await Promise.all([
    read("docs/known-holes.md"),
    read("docker-compose.yml"),
    read("services/embedded/parts/registry.ts"),
    read("services/embedded/parts/redis.ts"),
    read("test/support/running/containers.ts"),
  ]);
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
