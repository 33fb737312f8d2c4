import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { clickhouseEnv, kafkaEnv, loadConfig, redisEnv, registryEnv } from "../../../../services/common/config.ts";

const file = fileURLToPath(import.meta.url);
const schema = z.object({ ...kafkaEnv.shape, ...redisEnv.shape, ...clickhouseEnv.shape, ...registryEnv.shape });
const encrypted = {
  KAFKA_BROKERS: "kafka:9093",
  KAFKA_SSL: "true",
  REDIS_URL: "rediss://redis",
  CLICKHOUSE_URL: "https://clickhouse",
  SCHEMA_REGISTRY_URL: "https://registry",
};
const load = (settings: Readonly<Record<string, string>>) => loadConfig(schema, { ...encrypted, ...settings });

test.each([
  [{ KAFKA_CA_FILE: file, KAFKA_CERT_FILE: file, KAFKA_KEY_FILE: file }],
  [{ KAFKA_SASL_MECHANISM: "OAUTHBEARER", KAFKA_SASL_TOKEN_FILE: file }],
  [{ REDIS_CA_FILE: file, REDIS_SENTINELS: "a:26379, [::1]:26380", REDIS_SENTINEL_NAME: "main" }],
  [{ REDIS_CA_FILE: file, REDIS_CLUSTER: "a:6379, [::1]:6380" }],
  [{ REDIS_URL: "rediss://user:pass@redis/0", REDIS_CLUSTER: "a:6379" }],
  [{ CLICKHOUSE_CA_FILE: file, SCHEMA_REGISTRY_CA_FILE: file }],
])("%j is usable", (settings) => {
  expect(() => load(settings)).not.toThrow();
});

test.each([
  [{ KAFKA_CA_FILE: "/none" }, "KAFKA_CA_FILE wants a file that this process can read (ENOENT)"],
  [{ REDIS_CA_FILE: "/" }, "REDIS_CA_FILE wants a file that this process can read (EISDIR)"],
  [{ KAFKA_CERT_FILE: file }, "KAFKA_CERT_FILE wants a key as well (KAFKA_KEY_FILE)"],
  [{ CLICKHOUSE_KEY_FILE: file }, "CLICKHOUSE_KEY_FILE wants a certificate as well (CLICKHOUSE_CERT_FILE)"],
  [{ KAFKA_SSL: "false", KAFKA_CA_FILE: file }, "KAFKA_CA_FILE wants an encrypted connection: KAFKA_SSL must be true"],
  [
    { REDIS_URL: "redis://redis", REDIS_CA_FILE: file },
    "REDIS_CA_FILE wants an encrypted connection: REDIS_URL must begin with rediss://",
  ],
  [
    { CLICKHOUSE_URL: "http://c", CLICKHOUSE_CA_FILE: file },
    "CLICKHOUSE_CA_FILE wants an encrypted connection: CLICKHOUSE_URL must begin with https://",
  ],
  [
    { SCHEMA_REGISTRY_URL: "http://r", SCHEMA_REGISTRY_CA_FILE: file },
    "SCHEMA_REGISTRY_CA_FILE wants an encrypted connection: SCHEMA_REGISTRY_URL must begin with https://",
  ],
  [
    { KAFKA_SASL_MECHANISM: "OAUTHBEARER" },
    "KAFKA_SASL_MECHANISM wants a token for OAUTHBEARER (KAFKA_SASL_TOKEN_FILE)",
  ],
  [
    { KAFKA_SASL_TOKEN_FILE: file },
    "KAFKA_SASL_TOKEN_FILE wants a login with a token: KAFKA_SASL_MECHANISM must be OAUTHBEARER",
  ],
  [
    { REDIS_CLUSTER: "a:1", REDIS_SENTINELS: "a:2", REDIS_SENTINEL_NAME: "main" },
    "REDIS_CLUSTER wants no Sentinels: set REDIS_CLUSTER, or REDIS_SENTINELS and what belongs to it",
  ],
  [
    { REDIS_CLUSTER: "a:1", REDIS_URL: "redis://user:pass@redis:6379/2" },
    "REDIS_CLUSTER wants no database in REDIS_URL: a Cluster has only database 0",
  ],
  [{ REDIS_CLUSTER: "a" }, "REDIS_CLUSTER wants host:port, several separated by commas"],
  [{ REDIS_SENTINELS: "a:1" }, "REDIS_SENTINELS wants the name of the master as well (REDIS_SENTINEL_NAME)"],
])("%j is refused: %s", (settings, problem) => {
  expect(() => load(settings)).toThrow(`The configuration is not usable:\n  ${problem}`);
});

test("variables of a store that the process does not use are not compared", () => {
  expect(() => loadConfig(redisEnv, { REDIS_URL: "redis://r", KAFKA_CERT_FILE: "/none" })).not.toThrow();
});

test("a key that was put in the place of its path is not shown", () => {
  expect(() => load({ KAFKA_CERT_FILE: file, KAFKA_KEY_FILE: "secret" })).toThrow(/^((?!secret).)*$/s);
});
