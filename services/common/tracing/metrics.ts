// The metric of tracing: a collector that is away shows here, and nowhere else.
import { counter } from "../metrics/define.ts";

export const traceSpans = counter(
  "trace_spans_total",
  "Spans of traces. The outcome is exported, dropped (the queue was full) or failed (the collector did not take them).",
  ["outcome"],
);
