// The configured credentials reach the store.
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { kafkaEnv, loadConfig, registryEnv } from "../../../../services/common/config.ts";
import { connectionOf } from "../../../../services/common/kafka/client.ts";
import { openRegistry } from "../../../../services/common/registry/client.ts";
import { freePort, LOOPBACK } from "../../../../services/embedded/tools/free-port.ts";

test.each([
  ["", undefined],
  ["me:se%2Fcret@", `Basic ${Buffer.from("me:se/cret").toString("base64")}`],
  ["a.b-c_d@", "Bearer a.b-c_d"],
])("the registry at http://%shost is asked with authorization %s", async (credentials, expected) => {
  const port = await freePort();
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    response.setHeader("content-type", "application/json").end(JSON.stringify({ schema: '"string"' }));
  }).listen(port, LOOPBACK);
  onTestFinished(() => void server.close());
  await once(server, "listening");

  const SCHEMA_REGISTRY_URL = `http://${credentials}${LOOPBACK}:${port}/base`;
  await openRegistry(loadConfig(registryEnv, { SCHEMA_REGISTRY_URL })).getSchema(7);

  expect(asked).toEqual([["/base/schemas/ids/7", expected]]);
});

const KAFKA_BROKERS = "a:1, b:2";
const user = { KAFKA_SASL_USERNAME: "me", KAFKA_SASL_PASSWORD: "secret" };
const sasl = { username: "me", password: "secret" };

test.each([
  [{}, { ssl: false }],
  [{ KAFKA_SSL: "true" }, { ssl: true }],
  [user, { ssl: false, sasl: { mechanism: "plain", ...sasl } }],
  [
    { ...user, KAFKA_SASL_MECHANISM: "SCRAM-SHA-512" },
    { ssl: false, sasl: { mechanism: "scram-sha-512", ...sasl } },
  ],
])("Kafka with %j is connected to with %j", (settings, expected) => {
  expect(connectionOf(loadConfig(kafkaEnv, { KAFKA_BROKERS, ...settings }))).toEqual({
    brokers: ["a:1", "b:2"],
    ...expected,
  });
});
