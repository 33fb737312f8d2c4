import { type KafkaConfig as ClientConfig, Kafka, type LogEntry, logLevel } from "kafkajs";
import type { z } from "zod";
import type { kafkaEnv } from "../config.ts";
import type { Log } from "../log.ts";
import { tlsFromFiles } from "../tls-files.ts";
import { replaceKafkajs } from "./internals/replace-kafkajs.ts";
import { tokenLogin } from "./token-login.ts";

const levels: Record<number, "error" | "warn" | "info" | "debug"> = {
  [logLevel.ERROR]: "error",
  [logLevel.WARN]: "warn",
  [logLevel.INFO]: "debug",
  [logLevel.DEBUG]: "debug",
};

export type KafkaConfig = Omit<z.output<typeof kafkaEnv>, "KAFKA_SESSION_TIMEOUT_MS">;

/** Creates a kafkajs client that writes to our log and gives up early enough for the caller to get an answer. */
export function createKafka(clientId: string, config: KafkaConfig, log: Log): Kafka {
  return replaceKafkajs(() => new Kafka(optionsOf(clientId, config, log)));
}

const optionsOf = (clientId: string, config: KafkaConfig, log: Log): ClientConfig => ({
  clientId,
  ...connectionOf(config),
  connectionTimeout: 2_000,
  requestTimeout: 10_000,
  enforceRequestTimeout: true,
  retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 },
  logLevel: logLevel.INFO,
  logCreator:
    () =>
    ({ level, log: { message, timestamp: _timestamp, logger: _logger, ...fields } }: LogEntry) => {
      log[levels[level] ?? "debug"]({ kafka: fields }, message);
    },
});

/** Addresses and credentials of the brokers, in kafkajs' form. */
export function connectionOf(config: KafkaConfig): Pick<ClientConfig, "brokers" | "ssl" | "sasl"> {
  return { brokers: [...config.KAFKA_BROKERS], ssl: tlsOf(config), ...credentialsOf(config) };
}

function tlsOf({ KAFKA_SSL, KAFKA_CA_FILE: ca, KAFKA_CERT_FILE: cert, KAFKA_KEY_FILE: key }: KafkaConfig) {
  if (!KAFKA_SSL || (ca === "" && cert === "")) return KAFKA_SSL;
  return tlsFromFiles({ ca, cert, key });
}

function credentialsOf(config: KafkaConfig): Pick<ClientConfig, "sasl"> {
  const [username, password] = [config.KAFKA_SASL_USERNAME, config.KAFKA_SASL_PASSWORD];
  if (config.KAFKA_SASL_MECHANISM === "OAUTHBEARER") return { sasl: tokenLogin(config.KAFKA_SASL_TOKEN_FILE) };
  if (username === "") return {};
  switch (config.KAFKA_SASL_MECHANISM) {
    case "PLAIN":
      return { sasl: { mechanism: "plain", username, password } };
    case "SCRAM-SHA-256":
      return { sasl: { mechanism: "scram-sha-256", username, password } };
    case "SCRAM-SHA-512":
      return { sasl: { mechanism: "scram-sha-512", username, password } };
  }
}
