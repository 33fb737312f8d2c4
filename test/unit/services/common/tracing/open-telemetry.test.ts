import { expect, test } from "vitest";
import { parseTraceParent, traceParentOf } from "../../../../../schemas/trace-parent.ts";
import type { SpanStart } from "../../../../../services/common/tracing/tracing.ts";
import { traceAll } from "./use-tracing.ts";

const SERVER: SpanStart = { name: "POST /things", kind: "server" };
const CONSUMER: SpanStart = { name: "take", kind: "consumer" };

const hex = (digits: number, n: number): string => n.toString(16).padStart(digits, "0");
const headerOf = (trace: number, span = 1): string => traceParentOf(hex(32, trace), hex(16, span));
const unsampled = (header: string): string => header.replace(/01$/, "00");

test("a share of the requests begins a trace, and a caller has no say in it", async () => {
  const { tracing, spans } = await traceAll({ ratio: 0 });

  for (const header of [undefined, headerOf(7), "x"]) expect(tracing.begin(SERVER, header)).toBeUndefined();

  expect(await spans()).toEqual([]);
});

test("the trace of a caller that is not trusted is linked to, not continued", async () => {
  const { tracing, spans } = await traceAll();

  tracing.begin(SERVER, headerOf(7, 9))?.end({ "http.response.status_code": 200 });

  const [span] = await spans();
  expect(span).toMatchObject({ name: "POST /things", kind: 2, links: [{ traceId: hex(32, 7), spanId: hex(16, 9) }] });
  expect(span?.traceId).not.toBe(hex(32, 7));
  expect(span?.attributes).toEqual([{ key: "http.response.status_code", value: { intValue: 200 } }]);
});

test("the trace of a trusted caller is continued with the caller's decision, whatever the share is", async () => {
  const { tracing, spans } = await traceAll({ ratio: 0, trustsCallers: true });

  const span = tracing.begin(SERVER, headerOf(7, 9));
  span?.end();

  expect(parseTraceParent(span?.traceParent)?.traceId).toBe(hex(32, 7));
  expect(tracing.begin(SERVER, unsampled(headerOf(8)))).toBeUndefined();
  expect(tracing.begin(SERVER, "nonsense")).toBeUndefined();
  expect(await spans()).toMatchObject([{ traceId: hex(32, 7), parentSpanId: hex(16, 9) }]);
});

test("a batch of one trace is a part of it, and what follows from it too", async () => {
  const { tracing, spans } = await traceAll();

  const span = tracing.follow(CONSUMER, [headerOf(7, 1), headerOf(7, 2)]);
  span?.end();

  expect(span?.after(headerOf(7, 2))).toBe(span?.traceParent);
  expect(await spans()).toMatchObject([{ traceId: hex(32, 7), parentSpanId: hex(16, 1), kind: 5 }]);
});

test("a batch of several traces has links to a bounded number of them, and each cause goes on by itself", async () => {
  const { tracing, spans } = await traceAll();
  const causes = Array.from({ length: 500 }, (_, i) => headerOf(i + 1));

  const span = tracing.follow(CONSUMER, causes);
  span?.end();

  expect(span?.after(headerOf(3))).toBe(headerOf(3));
  const [sent] = await spans();
  expect(sent?.parentSpanId ?? "").toBe("");
  expect(sent?.links).toHaveLength(64);
  expect(sent?.links?.[0]).toMatchObject({ traceId: hex(32, 1), spanId: hex(16, 1) });
});

test("without a recorded cause there is no span", async () => {
  const { tracing, spans } = await traceAll();

  expect(tracing.follow(CONSUMER, [])).toBeUndefined();
  expect(tracing.causes()).toEqual([]);
  expect(await spans()).toEqual([]);
});

test("work that a span runs has it as its cause until the span ends", async () => {
  const { tracing } = await traceAll();
  const span = tracing.begin(SERVER);

  const [during, fields, later] = await (span?.run(async () => {
    await Promise.resolve();
    const seen = tracing.causes();
    const logged = tracing.logFields();
    span.end();
    return [seen, logged, { causes: tracing.causes(), fields: tracing.logFields() }] as const;
  }) ?? []);

  const parent = parseTraceParent(span?.traceParent);
  expect(during).toEqual([span?.traceParent]);
  expect(fields).toEqual({ trace_id: parent?.traceId, span_id: parent?.spanId });
  expect(later).toEqual({ causes: [], fields: {} });
});

test("a failed span has a word for the failure, and an end counts once", async () => {
  const { tracing, spans } = await traceAll();

  const span = tracing.begin(SERVER);
  span?.end({}, "aborted");
  span?.end({ "http.response.status_code": 200 });

  expect(await spans()).toMatchObject([
    { status: { code: 2 }, attributes: [{ key: "error.type", value: { stringValue: "aborted" } }] },
  ]);
});

test("the current span gets a name that says more", async () => {
  const { tracing, spans } = await traceAll();

  const span = tracing.begin(SERVER);
  span?.run(() => tracing.rename("mutation createThing"));
  span?.end();
  tracing.rename("nobody");

  expect(await spans()).toMatchObject([{ name: "mutation createThing" }]);
});
