import { expect, test } from "vitest";
import { readText } from "../../structure/repository.ts";

const compose = readText("docker-compose.yml");

test("every store of docker-compose.yml keeps its data in its volume, and the registry writes at once", () => {
  const volumes = [...compose.matchAll(/^ {4}volumes: \["(\w+):([\w/]+)"\]$/gm)].map(([, name, path]) => [name, path]);

  expect(volumes.map(([name]) => name)).toEqual(["kafka", "registry", "redis", "clickhouse"]);
  const [kafka = [], registry = []] = volumes;
  expect(compose).toContain(`KAFKA_LOG_DIRS: ${kafka[1]}\n`);
  expect(compose).toContain(`jdbc:h2:file:${registry[1]}/registry;WRITE_DELAY=0\n`);
});
