// Switches the tracing of a process on, when its settings say so.
import { randomUUID } from "node:crypto";
import { messageOf } from "../../../schemas/errors.ts";
import { ConfigError } from "../config.ts";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";
import { pairsIn, type TracingConfig } from "./config.ts";
import { createOpenTelemetry, type StartedTracing } from "./open-telemetry.ts";
import { loadPackages } from "./packages.ts";
import { useTracing } from "./tracing.ts";

/** Time for the last spans; it counts within the time that all parts have to stop. */
const STOP_WITHIN_MS = 2_000;

/**
 * Must be awaited before the other parts of the process are made. Resolves with the part that sends the last spans when
 * it stops. Rejects with ConfigError when a package is missing.
 */
export async function startTracing(service: string, config: TracingConfig, log: Log): Promise<Part> {
  const started = createOpenTelemetry(await load(), {
    resource: resourceOf(service, config),
    url: `${config.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, "")}/v1/traces`,
    headers: pairsIn(config.OTEL_EXPORTER_OTLP_HEADERS) ?? {},
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    trustsCallers: config.TRACING_TRUST_CALLERS,
    tellsReceivers: config.TRACING_TO_RECEIVERS,
    onTrouble: (error) => log.warn({ err: messageOf(error) }, "the collector does not take spans, they are lost"),
  });
  useTracing(started);
  return { name: "tracing", start: async () => undefined, stop: () => stopWithin(started) };
}

const resourceOf = (service: string, config: TracingConfig) => ({
  "service.namespace": "tracklog",
  "service.instance.id": randomUUID(),
  ...pairsIn(config.OTEL_RESOURCE_ATTRIBUTES),
  "service.name": config.OTEL_SERVICE_NAME === "" ? `tracklog-${service}` : config.OTEL_SERVICE_NAME,
});

async function load() {
  try {
    return await loadPackages();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    const reason = messageOf(error).split(" imported from", 1)[0];
    throw new ConfigError(
      `OTEL_TRACES_EXPORTER wants packages that are not installed (${reason}): run npm ci, or set it to none.`,
    );
  }
}

/** A collector that does not answer must not delay the end of the process. */
async function stopWithin(started: StartedTracing): Promise<void> {
  useTracing(undefined);
  await withTimeout(started.stop(), STOP_WITHIN_MS).catch(() => undefined);
}
