import pino, { type Logger, type LoggerOptions } from "pino";
import { serializeError } from "./log-errors.ts";

export type Log = Logger;

/** Ids of the current span, under the names that OpenTelemetry gives them in logs; empty without one. */
export type TraceFields = Readonly<Partial<Record<"trace_id" | "span_id", string>>>;

/**
 * Writes JSON lines to stdout; credentials are removed from them. `traceFields` is called for each line.
 */
export const createLog = (service: string, level: string, traceFields?: () => TraceFields): Log =>
  pino(logOptions(service, level, traceFields));

export function logOptions(service: string, level: string, traceFields?: () => TraceFields): LoggerOptions {
  return {
    level,
    ...(traceFields === undefined ? {} : { mixin: traceFields }),
    base: { service },
    redact: {
      paths: [
        "*.password",
        "*.token",
        "*['x-token-value']",
        "headers['x-token-value']",
        "req.headers['x-token-value']",
      ],
      censor: "[redacted]",
    },
    serializers: { err: serializeError },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
}
