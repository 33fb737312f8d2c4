// Configuration is declared with zod, read once at start, and all errors are reported together. The description of a
// variable (`describe`, called last) names the values that it accepts, in words that complete "it wants".
import { readFileSync } from "node:fs";
import { z } from "zod";
import { DAY_MS } from "../../schemas/units.ts";
import { conflictsIn } from "./config-conflicts.ts";
import { readableFile } from "./tls-files.ts";

/** Address at which `npm start` serves the API unless API_HOST or API_PORT are set. */
export const DEFAULT_API_URL = "http://127.0.0.1:4000/graphql";

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Parses the environment with a schema. A variable may also be in a file, which the variable of the same name with
 * `_FILE` names: orchestrators hand secrets over in files. Throws ConfigError, which lists every variable at fault.
 */
export function loadConfig<T extends z.ZodObject>(schema: T, env: NodeJS.ProcessEnv): z.output<T> {
  const given = Object.entries({ ...env, ...fromFiles(schema, env) });
  const set = Object.fromEntries(given.filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(set);
  const conflicts = conflictsIn(set, schema.shape);
  if (parsed.success && conflicts.length === 0) return parsed.data;
  const issues = parsed.error?.issues ?? [];
  const problems = [...issues.map((issue) => describeProblem(issue, schema, set)), ...conflicts];
  throw new ConfigError(["The configuration is not usable:", ...new Set(problems)].join("\n  "));
}

/** Returns the variables of the schema that are in files, without the line end that editors and `echo` add. */
function fromFiles(schema: z.ZodObject, env: NodeJS.ProcessEnv): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const file = env[`${name}_FILE`];
    if (file === undefined || file === "") continue;
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set: set one of them.`);
    try {
      read[name] = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    } catch {
      throw new ConfigError(`${name}_FILE names no file that can be read: ${file}`);
    }
  }
  return read;
}

/** Never shows the value of the variable: it may be a password. */
function describeProblem({ path: [name], code, message }: z.core.$ZodIssue, schema: z.ZodObject, set: object): string {
  const variable = String(name);
  // A schema that compares two variables has a message of its own.
  if (code === "custom") return `${variable} ${message}`;
  const wanted = wantedBy(schema, variable) ?? "another value";
  return variable in set ? `${variable} wants ${wanted}` : `${variable} is not set: it wants ${wanted}`;
}

/** Returns the description of a variable: the values that it accepts. */
export const wantedBy = (schema: z.ZodObject, variable: string): string | undefined =>
  z.globalRegistry.get(schema.shape[variable] ?? schema)?.description;

/** Used by each `main.ts`: an unusable configuration ends the process, with its reason and without a stack trace. */
export async function orExit<T>(load: () => T | Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Reads a whole number from a variable. */
export const integer = (fallback: number, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce
    .number()
    .int()
    .min(min)
    .max(max)
    .default(fallback)
    .describe(`a whole number ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}`);

export const flag = (fallback: boolean) =>
  z
    .enum(["true", "false"])
    .default(fallback ? "true" : "false")
    .transform((value) => value === "true")
    .describe("true or false");

/** Reads the address of a server that an installation may lack; "" means none. */
export const optionalUrl = (example: string) =>
  z
    .union([z.literal(""), z.url({ protocol: /^https?$/ })])
    .default("")
    .describe(`a URL such as ${example}`);

const url = (protocol: RegExp, example: string) => z.url({ protocol }).describe(`a URL such as ${example}`);

export const namespaceEnv = z.object({
  TRACKLOG_NAMESPACE: z
    .string()
    .regex(/^[a-zA-Z0-9_-]*$/)
    .default("")
    .describe("letters, digits, - and _ only")
    .meta({
      about:
        "Begins the names of the topics, consumer groups, Redis keys and database of an installation, so that " +
        "several installations can share one cluster.",
    }),
});

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

export const dataDirEnv = z.object({
  TRACKLOG_DATA_DIR: z
    .string()
    .default(".tracklog")
    .meta({
      about:
        "Folder of the data, logs and downloaded programs of `npm start`. Commands find the running stores " +
        "through it.",
    }),
});

export const logEnv = z.object({
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default("info")
    .describe(`one of ${LOG_LEVELS.join(", ")}`)
    .meta({ about: "Lowest level of the lines that the process logs." }),
});

/** Address at which a process answers the probes of its operator. */
export const opsEnv = z.object({
  OPS_HOST: z
    .string()
    .default("127.0.0.1")
    .meta({
      about:
        "Address at which the process answers probes and serves its metrics. A prober on another machine or " +
        "in another container needs `0.0.0.0`.",
    }),
  OPS_PORT: integer(0, 0, 65_535).meta({
    about: "Port of the probes and the metrics. With 0 the process takes any free port and logs its number.",
  }),
});

const SASL_MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"] as const;
const ADDRESS = /^(\[[0-9a-f:.]+\]|[^\s:,[\]]+):\d{1,5}$/i;

const addresses = z
  .string()
  .transform((value) => value.split(",").map((address) => address.trim()))
  .pipe(z.array(z.string().regex(ADDRESS)));
const ADDRESSES_WANTED = "host:port, several separated by commas";

export const kafkaEnv = z.object({
  KAFKA_BROKERS: addresses
    .describe(ADDRESSES_WANTED)
    .meta({ about: "Addresses of brokers. A few are enough: they name the others." }),
  KAFKA_SSL: flag(false).meta({ about: "Encrypts the connections to the brokers with TLS." }),
  KAFKA_CA_FILE: readableFile.meta({
    about:
      "Certificate authorities of the brokers, which replace the public ones. Each new connection reads the " +
      "file again, as it does the other files for TLS.",
  }),
  KAFKA_CERT_FILE: readableFile.meta({ about: "Certificate of this client, for brokers that ask for one." }),
  KAFKA_KEY_FILE: readableFile.meta({ about: "Private key of KAFKA_CERT_FILE." }),
  KAFKA_SASL_MECHANISM: z
    .enum(SASL_MECHANISMS)
    .default("PLAIN")
    .describe(`one of ${SASL_MECHANISMS.join(", ")}`)
    .meta({ about: "Login at the brokers. PLAIN and SCRAM count when KAFKA_SASL_USERNAME is set." }),
  KAFKA_SASL_USERNAME: z.string().default("").meta({ about: "User of the login; empty for none." }),
  KAFKA_SASL_PASSWORD: z.string().default("").meta({ about: "Password of KAFKA_SASL_USERNAME." }),
  KAFKA_SASL_TOKEN_FILE: readableFile.describe("the path of a file with a token").meta({
    about: "File with the token of OAUTHBEARER, such as a projected token of a Kubernetes service account.",
  }),
  KAFKA_SESSION_TIMEOUT_MS: integer(10_000, 1_000, 300_000).meta({
    about:
      "Time after which a consumer group gives the partitions of a dead process to others. The broker sets " +
      "a minimum of its own, usually 6 s.",
  }),
});

/** Settings of the topics; every process that reads or writes them must have the same values. */
export const topicsEnv = z.object({
  CAMERA_PARTITIONS: integer(12, 1, 1_000).meta({
    about:
      "Partitions of the topics keyed by data source. The number is fixed for the life of a log, because " +
      "with another one the keys would change their partitions.",
  }),
  CAMERA_LOG_RETENTION_MS: integer(7 * DAY_MS, 1).meta({
    about:
      "Time for which Kafka keeps the camera-log, and so the time that live state and the history can be " +
      "rebuilt for.",
  }),
  TOPIC_REPLICATION_FACTOR: integer(1, 1, 9).meta({
    about: "Copies of every partition. With 3, a write needs 2 of them, so any one broker may be lost.",
    unit: "copies",
  }),
});

export const registryEnv = z.object({
  SCHEMA_REGISTRY_URL: url(/^https?$/, "http://127.0.0.1:8081/apis/ccompat/v7").meta({
    about:
      "Base URL of a schema registry with the Confluent interface. Credentials go before the host: " +
      "`user:password@` or `token@`.",
  }),
  SCHEMA_REGISTRY_CA_FILE: readableFile.meta({
    about: "Certificate authorities of the registry, which replace the public ones.",
  }),
});

/** Settings of every process that works on the log. */
export const serviceEnv = z.object({
  ...kafkaEnv.shape,
  ...topicsEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  ...logEnv.shape,
  ...opsEnv.shape,
});

export type ServiceConfig = z.output<typeof serviceEnv>;

export const redisEnv = z.object({
  REDIS_URL: url(/^rediss?$/, "redis://127.0.0.1:6379").meta({
    about:
      "Address of Redis: `redis://`, or `rediss://` for TLS. Credentials go before the host: " +
      "`user:password@` or `:password@`.",
  }),
  REDIS_CA_FILE: readableFile.meta({
    about:
      "Certificate authorities of the server, which replace the public ones. Each new connection reads the " +
      "file again, as it does the other files for TLS.",
  }),
  REDIS_CERT_FILE: readableFile.meta({ about: "Certificate of this client, for a server that asks for one." }),
  REDIS_KEY_FILE: readableFile.meta({ about: "Private key of REDIS_CERT_FILE." }),
  REDIS_SENTINELS: addresses
    .default([])
    .describe(ADDRESSES_WANTED)
    .meta({
      about:
        "Sentinels, which name the present master. Host and port of REDIS_URL then do not count; the rest of " +
        "it does.",
    }),
  REDIS_SENTINEL_NAME: z.string().default("").meta({ about: "Name of the master at the Sentinels." }),
  REDIS_SENTINEL_PASSWORD: z.string().default("").meta({ about: "Password of the Sentinels; empty for none." }),
  REDIS_CLUSTER: addresses
    .default([])
    .describe(ADDRESSES_WANTED)
    .meta({
      about:
        "Some nodes of a Redis Cluster, which name the others. Of REDIS_URL then only the scheme and the " +
        "credentials count.",
    }),
});

export const answerTimesEnv = z.object({
  API_QUERY_MS: integer(20_000, 100, 29_000).meta({
    about:
      "Longest time of one query of the API to ClickHouse. The limit of 29 s keeps it below the 30 s after " +
      "which the client gives up.",
  }),
  API_POSITION_WAIT_MS: integer(5_000, 0, 60_000).meta({
    about:
      "Time for which a query waits until the history has the position that the request names in " +
      "`x-min-position`.",
  }),
});

export const clickhouseEnv = z.object({
  ...namespaceEnv.shape,
  CLICKHOUSE_URL: url(/^https?$/, "http://127.0.0.1:8123").meta({
    about: "Address of the HTTP interface of ClickHouse.",
  }),
  CLICKHOUSE_USER: z.string().default("default").meta({ about: "User of ClickHouse." }),
  CLICKHOUSE_PASSWORD: z.string().default("").meta({ about: "Password of CLICKHOUSE_USER." }),
  CLICKHOUSE_CA_FILE: readableFile.meta({
    about:
      "Certificate authorities of the server, which replace the public ones. Each new connection reads the " +
      "file again, as it does the other files for TLS.",
  }),
  CLICKHOUSE_CERT_FILE: readableFile.meta({
    about: "Certificate of this client, for a server that asks for one. The user still needs the password.",
  }),
  CLICKHOUSE_KEY_FILE: readableFile.meta({ about: "Private key of CLICKHOUSE_CERT_FILE." }),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/)
    .default("")
    .describe("a name of letters, digits and _ that does not begin with a digit")
    .meta({
      about:
        "Database of the history. When it is empty, the name is `tracklog`, or with TRACKLOG_NAMESPACE " +
        "`tracklog_` and the escaped namespace.",
    }),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[a-zA-Z_][a-zA-Z0-9_-]*$/)
    .default("")
    .describe("a name of letters, digits, - and _ that does not begin with a digit")
    .meta({
      about:
        "Cluster over which the history is spread, by its name in `remote_servers`; every process needs the same. " +
        "When it is empty, the history is on one server, or in a cloud.",
    }),
});
