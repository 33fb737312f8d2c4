// The queue of finished spans. A collector that is slow or away costs spans, never time: the queue is bounded, and a
// span that finds it full is dropped and counted. The SDK's own queue drops spans without a count.
import type { SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import { traceSpans } from "./metrics.ts";
import type { OpenTelemetryPackages } from "./packages.ts";

/** Spans that wait or are under way; about 2 kB each. */
const MOST_SPANS = 2_048;
/** Spans in one request. */
const BATCH_SPANS = 512;
const BATCH_MS = 1_000;
/** Longer than the exporter's own limit, so that the exporter reports the failure. */
const BATCH_TIMEOUT_MS = 10_000;
const SUCCESS = 0;

type ExportResult = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

/** `onTrouble` is called for the first failure, and again for one that follows a success. */
export function createSpanQueue(
  { BatchSpanProcessor }: Pick<OpenTelemetryPackages["sdk"], "BatchSpanProcessor">,
  exporter: SpanExporter,
  onTrouble: (error: Error | undefined) => void,
  mostSpans = MOST_SPANS,
): SpanProcessor {
  let pending = 0;
  let isInTrouble = false;

  function finished(count: number, { code, error }: ExportResult): void {
    const hasFailed = code !== SUCCESS;
    pending -= count;
    traceSpans.inc({ outcome: hasFailed ? "failed" : "exported" }, count);
    if (hasFailed && !isInTrouble) onTrouble(error);
    isInTrouble = hasFailed;
  }

  const counting: SpanExporter = {
    export(spans, done) {
      exporter.export(spans, (result) => {
        finished(spans.length, result);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };

  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxQueueSize: mostSpans,
    maxExportBatchSize: Math.min(BATCH_SPANS, mostSpans),
    scheduledDelayMillis: BATCH_MS,
    exportTimeoutMillis: BATCH_TIMEOUT_MS,
  });

  return {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd(span) {
      if (pending >= mostSpans) {
        traceSpans.inc({ outcome: "dropped" });
        return;
      }
      pending += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
