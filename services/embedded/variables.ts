import type { PartName } from "./protocol.ts";

/** The variables of each store. The first one decides whether the store is given; the others go with it. */
export const VARIABLES: Readonly<Record<PartName, readonly [string, ...string[]]>> = {
  kafka: ["KAFKA_BROKERS", "KAFKA_SSL", "KAFKA_SASL_MECHANISM", "KAFKA_SASL_USERNAME", "KAFKA_SASL_PASSWORD"],
  registry: ["SCHEMA_REGISTRY_URL"],
  redis: ["REDIS_URL"],
  clickhouse: ["CLICKHOUSE_URL", "CLICKHOUSE_USER", "CLICKHOUSE_PASSWORD"],
};
