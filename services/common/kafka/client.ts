import { Kafka, type LogEntry, logLevel } from "kafkajs";
import type { Log } from "../log.ts";
import { useQuickEncoders } from "./quick-encoders.ts";

const levels: Record<number, "error" | "warn" | "info" | "debug"> = {
  [logLevel.ERROR]: "error",
  [logLevel.WARN]: "warn",
  [logLevel.INFO]: "debug",
  [logLevel.DEBUG]: "debug",
};

/** A kafkajs client that logs through ours and gives up early enough for the caller to be told. */
export function createKafka(clientId: string, brokers: readonly string[], log: Log): Kafka {
  useQuickEncoders();
  return new Kafka({
    clientId,
    brokers: [...brokers],
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
}
