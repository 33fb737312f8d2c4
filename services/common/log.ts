import pino, { type Logger } from "pino";

export type Log = Logger;

/** Writes JSON lines to stdout; credentials are removed from them. */
export function createLog(service: string, level: string): Log {
  return pino({
    level,
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
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
