import { expect, test } from "vitest";
import { parseTraceParent, TRACE_PARENT, traceParentOf } from "../../../../../schemas/trace-parent.ts";
import type { OutMessage } from "../../../../../services/common/kafka/write/publisher.ts";
import { RoundTraces } from "../../../../../services/state-machine/rounds/round-traces.ts";
import { until } from "../../../../support/running/processes.ts";
import { zone } from "../../../../support/scenes/zone.ts";
import { traceAll } from "../../common/tracing/use-tracing.ts";
import { createMachine } from "../machine.ts";

const ZONES = 4;
const events = Array.from({ length: ZONES }, (_, i) => ({
  type: "ZoneCreated" as const,
  event: { zone: zone({ zoneId: `zone ${i}`, dataSourceId: "ds1" }) },
}));

/** The `traceparent` of the message with this number. */
const headerOf = (i: number): string => traceParentOf(`${i + 1}`.padStart(32, "0"), `${i + 1}`.padStart(16, "0"));

const headersOf = (i: number) => ({ [TRACE_PARENT]: Buffer.from(headerOf(i)) });

/** Folds the events; `traced` are the numbers of those that are traced. */
async function fold(traced: readonly number[]): Promise<OutMessage[]> {
  const written: OutMessage[] = [];
  const { machine } = createMachine({
    events,
    headersOf: (i) => (traced.includes(i) ? headersOf(i) : {}),
    publish: async (messages) => void written.push(...messages),
  });
  await machine.start();
  await until(() => written.length === ZONES);
  await machine.stop();
  return written;
}

const traceOf = ({ headers }: OutMessage | undefined = {} as OutMessage) => headers?.[TRACE_PARENT];

const withoutTrace = (messages: readonly OutMessage[]) =>
  messages.map(({ headers: { [TRACE_PARENT]: _trace, ...headers } = {}, ...message }) => ({ ...message, headers }));

test("the outputs are the same with traces, in keys, ids, values and order", async () => {
  const plain = await fold([]);
  await traceAll();
  const traced = await fold([0, 2]);

  expect(plain.map(traceOf)).toEqual([undefined, undefined, undefined, undefined]);
  expect(withoutTrace(traced)).toEqual(plain);
});

test("a round with one traced message is a part of its trace, and the outputs of that message go on below it", async () => {
  const { spans } = await traceAll();

  const written = await fold([2]);

  const [span, ...others] = await spans();
  expect(others).toEqual([]);
  const cause = parseTraceParent(headerOf(2));
  expect(span).toMatchObject({
    name: "fold camera-log",
    kind: 5,
    traceId: cause?.traceId,
    parentSpanId: cause?.spanId,
  });
  expect(written.map(traceOf)).toEqual([
    undefined,
    undefined,
    traceParentOf(cause?.traceId ?? "", span?.spanId ?? ""),
    undefined,
  ]);
});

test("a round of several traces has links to them, and their outputs stay in the trace of their cause", async () => {
  const { spans } = await traceAll();
  const traces = new RoundTraces();
  traces.note(10, headersOf(0));
  traces.note(11, {});
  traces.note(12, headersOf(3));

  const round = traces.begin(Date.now());
  traces.forget();
  round?.span.end();

  expect([10, 11, 12].map((offset) => round?.traceOf(offset))).toEqual([headerOf(0), undefined, headerOf(3)]);
  expect(traces.begin(Date.now())).toBeUndefined();
  const [span] = await spans();
  expect(span?.links).toMatchObject([0, 3].map((i) => ({ traceId: parseTraceParent(headerOf(i))?.traceId })));
});

test("a partition keeps a bounded number of traces, however many messages of a round are traced", async () => {
  await traceAll();
  const traces = new RoundTraces();
  for (let offset = 0; offset < 10_000; offset++) traces.note(offset, headersOf(offset));

  const round = traces.begin(Date.now());

  expect(round?.traceOf(999)).toBe(headerOf(999));
  expect(round?.traceOf(1_000)).toBeUndefined();
});

test("a process without tracing passes no trace on", async () => {
  expect((await fold([0, 1, 2, 3])).map(traceOf)).toEqual([undefined, undefined, undefined, undefined]);
});
