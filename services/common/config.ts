// Configuration is declared with zod, read once at start, and every error is told together.
import { z } from "zod";

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the environment against a schema. Throws ConfigError listing every variable at fault. */
export function loadConfig<T extends z.ZodType>(schema: T, env: NodeJS.ProcessEnv): z.output<T> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(set);
  if (!parsed.success) throw new ConfigError(`The configuration is not usable:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** A whole number from a variable. */
export const integer = (fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

export const flag = (fallback: boolean) =>
  z
    .enum(["true", "false"])
    .default(fallback ? "true" : "false")
    .transform((value) => value === "true");

export const namespaceEnv = z.object({
  /** Prefix of topics and groups, of Redis keys; lets several installations share one cluster. */
  TRACKLOG_NAMESPACE: z
    .string()
    .regex(/^[a-zA-Z0-9_-]*$/, "letters, digits, - and _ only")
    .default(""),
});

export const logEnv = z.object({
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

export const kafkaEnv = z.object({
  /** host:port, separated by commas. */
  KAFKA_BROKERS: z
    .string()
    .min(1)
    .transform((value) => value.split(",")),
  /** A process that is dead without a word gives its partitions up after this; the broker sets a minimum (6 s). */
  KAFKA_SESSION_TIMEOUT_MS: integer(10_000, 1_000, 300_000),
});

/** What the topics are asked to be; every process that reads or writes them must be given the same. */
export const topicsEnv = z.object({
  /** Partitions of the topics keyed by data source. Fixed for a log's life: keys would change their partition. */
  CAMERA_PARTITIONS: integer(12, 1, 1_000),
  CAMERA_LOG_RETENTION_MS: integer(7 * 86_400_000, 1),
  /** Copies of every partition. With 3, a write needs 2 of them, so one broker may be lost at any time. */
  TOPIC_REPLICATION_FACTOR: integer(1, 1, 9),
});

export const registryEnv = z.object({
  /** Base URL of a Confluent-compatible schema registry. */
  SCHEMA_REGISTRY_URL: z.url(),
});

export const redisEnv = z.object({
  REDIS_URL: z.url(),
});

export const clickhouseEnv = z.object({
  CLICKHOUSE_URL: z.url(),
  CLICKHOUSE_USER: z.string().default("default"),
  CLICKHOUSE_PASSWORD: z.string().default(""),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/)
    .default("tracklog"),
});
