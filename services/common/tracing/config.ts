// Settings of the traces. The variables that begin with OTEL_ have the names and meanings of the specification of
// OpenTelemetry.
import { z } from "zod";
import { flag } from "../config.ts";

/**
 * Reads `name=value` pairs that are separated by commas, with values in URL encoding.
 * @returns undefined when the text has something else.
 */
export function pairsIn(text: string): Record<string, string> | undefined {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  try {
    const read = pairs.map((pair) => {
      const [, name = "", value = ""] = /^\s*([^\s=]+)=(.*?)\s*$/.exec(pair) ?? [];
      return [name, decodeURIComponent(value)] as const;
    });
    return read.some(([name]) => name === "") ? undefined : Object.fromEntries(read);
  } catch {
    return undefined;
  }
}

const PAIRS_WANTED = "name=value pairs separated by commas, values in URL encoding";

const pairs = z
  .string()
  .default("")
  .refine((text) => pairsIn(text) !== undefined, `wants ${PAIRS_WANTED}`)
  .describe(PAIRS_WANTED);

export const tracingEnv = z.object({
  OTEL_TRACES_EXPORTER: z
    .enum(["otlp", "none"])
    .default("none")
    .describe("otlp or none")
    .meta({ about: "`otlp` sends traces to a collector. With `none` nothing of OpenTelemetry is loaded." }),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .default("http://127.0.0.1:4318")
    .describe("a URL such as http://127.0.0.1:4318")
    .meta({ about: "The collector. It gets OTLP over HTTP, as JSON, at `/v1/traces` below this URL." }),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.meta({ about: "Headers for the collector, such as its credentials." }),
  OTEL_SERVICE_NAME: z
    .string()
    .default("")
    .meta({
      about:
        "Name of the process in its spans; empty for `tracklog-` and the role. With one name for all processes their " +
        "spans cannot be told apart.",
    }),
  OTEL_RESOURCE_ATTRIBUTES: pairs.meta({
    about: "Attributes of the process in its spans, such as `deployment.environment=test`.",
  }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe("a number from 0 to 1")
    .meta({ about: "Share of the requests whose trace is recorded.", unit: "share" }),
  TRACING_TRUST_CALLERS: flag(false).meta({
    about:
      "Continues the trace of a caller (`traceparent`), with the caller's decision to record it. Any caller can then " +
      "have each of its requests recorded.",
  }),
  TRACING_TO_RECEIVERS: flag(false).meta({
    about: "Sends `traceparent` to receivers of webhooks, whose addresses callers choose.",
  }),
});

export type TracingConfig = z.output<typeof tracingEnv>;
