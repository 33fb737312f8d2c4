import * as sdk from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { traceSpans } from "../../../../../services/common/tracing/metrics.ts";
import { createSpanQueue } from "../../../../../services/common/tracing/span-queue.ts";

/** A finished span, as far as the queue looks at it. */
const span = { spanContext: () => ({ traceFlags: 1 }), resource: {} } as unknown as sdk.ReadableSpan;

type Done = Parameters<sdk.SpanExporter["export"]>[1];

/** A collector that answers when the test says so. */
function heldExporter() {
  const waiting: { readonly spans: number; readonly done: Done }[] = [];
  const exporter: sdk.SpanExporter = {
    export: (spans, done) => void waiting.push({ spans: spans.length, done }),
    shutdown: async () => undefined,
  };
  const answer = (code: number) => {
    const { spans = 0, done } = waiting.shift() ?? {};
    done?.(code === 0 ? { code } : { code, error: new Error("away") });
    return spans;
  };
  return { exporter, answer };
}

async function counted() {
  const { values } = await traceSpans.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
}

test("a collector that does not answer costs spans beyond the queue, and they are counted", async () => {
  traceSpans.reset();
  const { exporter, answer } = heldExporter();
  const queue = createSpanQueue(sdk, exporter, () => undefined, 4);

  for (let i = 0; i < 10; i++) queue.onEnd(span);
  expect(await counted()).toEqual({ dropped: 6 });
  const sent = answer(0);
  for (let i = 0; i < 10; i++) queue.onEnd(span);

  expect(sent).toBe(4);
  expect(await counted()).toEqual({ exported: 4, dropped: 12 });
});

test("a collector that refuses is reported once, until it has taken spans again", async () => {
  traceSpans.reset();
  const { exporter, answer } = heldExporter();
  const troubles: unknown[] = [];
  const queue = createSpanQueue(sdk, exporter, (error) => troubles.push(error?.message), 1);

  for (const code of [1, 1, 0, 1]) {
    queue.onEnd(span);
    answer(code);
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(troubles).toEqual(["away", "away"]);
  expect(await counted()).toEqual({ failed: 3, exported: 1 });
});
