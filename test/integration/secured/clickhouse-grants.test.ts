import { expect, onTestFinished, test } from "vitest";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig } from "../../../services/common/config.ts";
import { readText } from "../../structure/repository.ts";
import { useStack } from "../../support/running/stack.ts";

const grants = [...readText("docs/security.md").matchAll(/^ {4}(GRANT .+);$/gm)].map(([, grant = ""]) => grant);

test("ClickHouse parses the rights that the documents give", async () => {
  const client = createClickHouse(loadConfig(clickhouseEnv, useStack().env), "default");
  onTestFinished(() => client.close());

  expect(grants.length).toBeGreaterThan(3);
  for (const grant of grants) await client.query({ query: `EXPLAIN AST ${grant}`, format: "JSON" });
  await expect(client.query({ query: "EXPLAIN AST GRANT READING ON a.* TO b", format: "JSON" })).rejects.toThrow();
});
