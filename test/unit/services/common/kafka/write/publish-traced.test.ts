import { expect, test } from "vitest";
import { parseTraceParent } from "../../../../../../schemas/trace-parent.ts";
import { publishTraced } from "../../../../../../services/common/kafka/write/publish-traced.ts";
import type { Acknowledged, OutMessage } from "../../../../../../services/common/kafka/write/topic-messages.ts";
import { traceAll } from "../../tracing/use-tracing.ts";

const message: OutMessage = { topic: "camera-log", key: "k", value: Buffer.from("v"), headers: { ce_id: "1" } };
const written: Acknowledged[] = [{ topic: "camera-log", partition: 0, offset: 0 }];

/** Keeps what it is given. */
function recorder() {
  const sent: (readonly OutMessage[])[] = [];
  const publish = async (messages: readonly OutMessage[]) => {
    sent.push(messages);
    return written;
  };
  return { sent, publish };
}

test("messages of traced work continue its trace, and keep all else", async () => {
  const { tracing, spans } = await traceAll();
  const { sent, publish } = recorder();
  const request = tracing.begin({ name: "request", kind: "server" });

  const positions = await request?.run(() => publishTraced([message, message], publish, tracing));
  request?.end();

  expect(positions).toBe(written);
  const [first, second] = sent[0] ?? [];
  const header = first?.headers?.["traceparent"];
  expect(first).toEqual({ ...message, headers: { ce_id: "1", traceparent: header } });
  expect(second).toEqual(first);
  const [published, requested] = await spans();
  expect(published).toMatchObject({ name: "publish camera-log", kind: 4, parentSpanId: requested?.spanId });
  expect(parseTraceParent(header)).toMatchObject({ traceId: requested?.traceId, spanId: published?.spanId });
});

test("messages of work that is not traced stay the same objects", async () => {
  const { tracing, spans } = await traceAll();
  const { sent, publish } = recorder();
  const messages = [message];

  await publishTraced(messages, publish, tracing);

  expect(sent[0]).toBe(messages);
  expect(await spans()).toEqual([]);
});

test("the calls reach the publisher in their order, traced or not", async () => {
  const { tracing } = await traceAll();
  const { sent, publish } = recorder();
  const of = (topic: string): OutMessage => ({ ...message, topic });

  const request = tracing.begin({ name: "request", kind: "server" });
  const first = request?.run(() => publishTraced([of("a")], publish, tracing));
  const second = publishTraced([of("b")], publish, tracing);
  await Promise.all([first, second]);

  expect(sent.map(([each]) => each?.topic)).toEqual(["a", "b"]);
});

test("a failure is that of the publisher, and fails the span", async () => {
  const { tracing, spans } = await traceAll();
  const failure = new Error("the log is away");

  const request = tracing.begin({ name: "request", kind: "server" });
  const publishing = request?.run(() => publishTraced([message], () => Promise.reject(failure), tracing));

  await expect(publishing).rejects.toBe(failure);
  expect(await spans()).toMatchObject([{ name: "publish camera-log", status: { code: 2 } }]);
});
