// Switches tracing on for one test, with a collector of its own.
import { onTestFinished } from "vitest";
import {
  createOpenTelemetry,
  type OpenTelemetryOptions,
  type StartedTracing,
} from "../../../../../services/common/tracing/open-telemetry.ts";
import { loadPackages } from "../../../../../services/common/tracing/packages.ts";
import { useTracing } from "../../../../../services/common/tracing/tracing.ts";
import { type CollectedSpan, startCollector } from "../../../../support/clients/collector.ts";

export interface UsedTracing {
  readonly tracing: StartedTracing;
  /** Switches tracing off, and resolves with everything that the collector got. */
  spans(): Promise<readonly CollectedSpan[]>;
}

/** Everything is recorded, unless the options say otherwise. */
export async function traceAll(options: Partial<OpenTelemetryOptions> = {}): Promise<UsedTracing> {
  const collector = await startCollector();
  const tracing = createOpenTelemetry(await loadPackages(), {
    resource: { "service.name": "test" },
    url: `${collector.url}/v1/traces`,
    headers: {},
    ratio: 1,
    trustsCallers: false,
    tellsReceivers: false,
    onTrouble: () => undefined,
    ...options,
  });
  const stop = async () => {
    useTracing(undefined);
    await tracing.stop();
  };
  useTracing(tracing);
  onTestFinished(async () => {
    await stop();
    await collector.close();
  });
  return {
    tracing,
    async spans() {
      await stop();
      return collector.spans;
    },
  };
}
