import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const compose = readFileSync(fileURLToPath(new URL("../../../docker-compose.yml", import.meta.url)), "utf8");

test("every store of docker-compose.yml keeps its data in its volume, and the registry writes at once", () => {
  const volumes = [...compose.matchAll(/^ {4}volumes: \["(\w+):([\w/]+)"\]$/gm)].map(([, name, path]) => [name, path]);

  expect(volumes.map(([name]) => name)).toEqual(["kafka", "registry", "redis", "clickhouse"]);
  const [kafka = [], registry = []] = volumes;
  expect(compose).toContain(`KAFKA_LOG_DIRS: ${kafka[1]}\n`);
  expect(compose).toContain(`jdbc:h2:file:${registry[1]}/registry;WRITE_DELAY=0\n`);
});
