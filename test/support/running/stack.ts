import { randomBytes } from "node:crypto";
import { inject } from "vitest";

/** The variables that lead to the stores, as a service's configuration reads them. */
export type StackEnv = Readonly<
  Record<
    | "KAFKA_BROKERS"
    | "KAFKA_SSL"
    | "KAFKA_SASL_MECHANISM"
    | "KAFKA_SASL_USERNAME"
    | "KAFKA_SASL_PASSWORD"
    | "SCHEMA_REGISTRY_URL"
    | "REDIS_URL"
    | "CLICKHOUSE_URL"
    | "CLICKHOUSE_USER"
    | "CLICKHOUSE_PASSWORD"
    | "CLICKHOUSE_CLUSTER",
    string
  >
>;

declare module "vitest" {
  export interface ProvidedContext {
    stack: StackEnv;
  }
}

export interface Stack {
  readonly env: StackEnv;
  /** A unique name, fit for a topic, a group, a database, a key or a namespace: `prefix_4f2a9c01`. */
  uniqueName(prefix: string): string;
}

/** The real stores of this test run; integration and e2e tests share them, so every name must be unique. */
export function useStack(): Stack {
  return {
    env: inject("stack"),
    uniqueName: (prefix) => `${prefix}_${randomBytes(4).toString("hex")}`,
  };
}
