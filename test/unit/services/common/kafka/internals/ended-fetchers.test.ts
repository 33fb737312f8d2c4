import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const HUNG_AFTER_MS = 10_000;

/**
 * kafkajs' fetch manager with a consumer that has stopped, in a process of its own: without a pause between the
 * questions, not even a time-out of the test would come.
 */
const source = `
import { createRequire } from "node:module";
import { useEndedFetchers } from ${JSON.stringify(
  fileURLToPath(import.meta.resolve("../../../../../../services/common/kafka/internals/ended-fetchers.ts")),
)};
const require = createRequire(${JSON.stringify(import.meta.url)});
const Runner = require("kafkajs/src/consumer/runner.js");
const createFetchManager = require("kafkajs/src/consumer/fetchManager.js");
const logger = { namespace: () => logger, debug() {}, info() {} };
if (process.argv[1] === "mended") useEndedFetchers();
const stopped = { running: false, logger, consumerGroup: {} };
const fetch = (nodeId) => Runner.prototype.fetch.call(stopped, nodeId);
const manager = createFetchManager({ logger, getNodeIds: () => [1, 2], fetch, handler: async () => {} });
await manager.start().catch((error) => process.stdout.write(error.message));
`;

const run = (mode: string, timeout: number) =>
  spawnSync(process.execPath, ["--input-type=module", "-e", source, mode], { encoding: "utf8", timeout });

test("fetchers that begin when their consumer has stopped end", () => {
  const { stdout, signal } = run("mended", HUNG_AFTER_MS);

  expect([stdout, signal]).toEqual(["the consumer has stopped", null]);
});

test("the fetchers of kafkajs itself would go on for ever", () => {
  expect(run("as it is", 2_000).signal).toBe("SIGTERM");
});
