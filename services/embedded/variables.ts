import type { PartName } from "./protocol.ts";

/**
 * Variables of each store. When the first one is set, that store is used and none is started; the others belong to it.
 */
export const VARIABLES: Readonly<Record<PartName, readonly [string, ...string[]]>> = {
  kafka: ["KAFKA_BROKERS", "KAFKA_SSL", "KAFKA_SASL_MECHANISM", "KAFKA_SASL_USERNAME", "KAFKA_SASL_PASSWORD"],
  registry: ["SCHEMA_REGISTRY_URL"],
  redis: ["REDIS_URL"],
  clickhouse: ["CLICKHOUSE_URL", "CLICKHOUSE_USER", "CLICKHOUSE_PASSWORD"],
};
