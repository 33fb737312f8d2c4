import type { PartName } from "./protocol.ts";

/**
 * Variables of each store. When the first one is set, that store is used and none is started; the others belong to it.
 */
export const VARIABLES: Readonly<Record<PartName, readonly [string, ...string[]]>> = {
  kafka: [
    "KAFKA_BROKERS",
    "KAFKA_SSL",
    "KAFKA_CA_FILE",
    "KAFKA_CERT_FILE",
    "KAFKA_KEY_FILE",
    "KAFKA_SASL_MECHANISM",
    "KAFKA_SASL_USERNAME",
    "KAFKA_SASL_PASSWORD",
    "KAFKA_SASL_TOKEN_FILE",
  ],
  registry: ["SCHEMA_REGISTRY_URL", "SCHEMA_REGISTRY_CA_FILE"],
  redis: [
    "REDIS_URL",
    "REDIS_CA_FILE",
    "REDIS_CERT_FILE",
    "REDIS_KEY_FILE",
    "REDIS_SENTINELS",
    "REDIS_SENTINEL_NAME",
    "REDIS_SENTINEL_PASSWORD",
    "REDIS_CLUSTER",
  ],
  clickhouse: [
    "CLICKHOUSE_URL",
    "CLICKHOUSE_USER",
    "CLICKHOUSE_PASSWORD",
    "CLICKHOUSE_CA_FILE",
    "CLICKHOUSE_CERT_FILE",
    "CLICKHOUSE_KEY_FILE",
    "CLICKHOUSE_CLUSTER",
  ],
};
