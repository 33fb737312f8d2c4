// One trace leads from a mutation through Kafka to the fold, the history and the webhook. Work that is not recorded
// leaves nothing, neither at the collector nor at the receiver.
import { expect, onTestFinished, test } from "vitest";
import { topicName } from "../../schemas/topics.ts";
import { parseTraceParent, traceParentOf } from "../../schemas/trace-parent.ts";
import { type Collector, startCollector } from "../support/clients/collector.ts";
import { startReceiver } from "../support/clients/receivers.ts";
import { askAt } from "../support/clients/rest-client.ts";
import { until } from "../support/running/processes.ts";
import { startStateApi } from "../support/running/state-api.ts";
import { type System, startSystem } from "../support/running/system.ts";
import { subscriptionBody } from "../support/scenes/subscription-body.ts";
import { square } from "../support/scenes/zone.ts";

const OURS = traceParentOf("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
const READING = traceParentOf("1af7651916cd43dd8448eb211c80319c", "b7ad6b7169203332");
const [OUR_TRACE, READING_TRACE] = [OURS, READING].map((header) => parseTraceParent(header)?.traceId);

test("one trace leads from a mutation to the fold, the history and the receiver of a webhook", async () => {
  const [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
  onTestFinished(async () => void (await Promise.all([collector.close(), receiver.close()])));
  const system = await startSystem(settingsWith(collector));
  const token = { "x-token-id": system.token.id, "x-token-value": system.token.value };
  const [url] = await Promise.all([startStateApi(system), system.start("webhooks")]);
  const ask = askAt(url, token);
  const body = subscriptionBody(token, { webhook_url: receiver.url });
  expect((await ask("POST", "/api/subscriptions/s", body)).status).toBe(201);
  const trackId = await createTrack(system);
  // The state machine raises signals once it has read the subscription.
  await until(async () => {
    await detect(system, trackId);
    return receiver.received.length > 0;
  });
  expect(receiver.received.map(({ headers }) => headers["traceparent"])).not.toContainEqual(expect.anything());

  // Only these two are recorded: the share is 0, and callers are trusted.
  await detect(system, trackId, { traceparent: OURS });
  await until(() => receiver.received.some(({ headers }) => headers["traceparent"] !== undefined));
  await ask("GET", `/api/tracks/${trackId}`, undefined, { ...token, traceparent: READING });
  const find = (name: string) => collector.spans.find((span) => span.name === name);
  const names = { ...NAMES, publish: `publish ${topicName(system.namespace, "camera-log")}` };
  await until(() => Object.values(names).every((name) => find(name) !== undefined));

  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([OUR_TRACE, READING_TRACE]));
  const request = find(names.request);
  const [publish, fold, insert, deliver] = [names.publish, names.fold, names.insert, names.deliver].map(find);
  expect(request).toMatchObject({ parentSpanId: parseTraceParent(OURS)?.spanId, service: "tracklog-api" });
  expect(publish).toMatchObject({ parentSpanId: request?.spanId, service: "tracklog-api" });
  expect(fold).toMatchObject({ parentSpanId: publish?.spanId, service: "tracklog-state-machine" });
  expect(insert).toMatchObject({ traceId: OUR_TRACE, service: "tracklog-projector" });
  expect(deliver).toMatchObject({ parentSpanId: fold?.spanId, service: "tracklog-webhooks" });
  expect(find(names.reading)).toMatchObject({ traceId: READING_TRACE, service: "tracklog-state-api" });
  const told = receiver.received.flatMap(({ headers }) => parseTraceParent(headers["traceparent"]) ?? []);
  expect(told).toContainEqual({ traceId: OUR_TRACE, spanId: deliver?.spanId, isSampled: true });
  const text = JSON.stringify(collector.spans);
  for (const secret of [trackId, system.token.value, receiver.url]) expect(text).not.toContain(secret);
});

const NAMES = {
  request: "mutation createDetections",
  fold: "fold camera-log",
  insert: "insert rows",
  deliver: "deliver webhook",
  reading: "GET /api/tracks/:track_id",
};

const settingsWith = ({ url }: Collector) => ({
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_TRACES_SAMPLER_ARG: "0",
  TRACING_TRUST_CALLERS: "true",
  TRACING_TO_RECEIVERS: "true",
  ALLOWED_URL_CIDRS: "127.0.0.0/8",
});

async function createTrack({ client }: System): Promise<string> {
  const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
    `mutation { createDataSource(dataSource: { name: "camera", type: VIDEO_DEVICE }) { id } }`,
  );
  const track = {
    dataSourceId: createDataSource.id,
    tag: "person",
    startTime: new Date().toISOString(),
    detections: [],
  };
  const { createTrack: created } = await client.ask<{ createTrack: { id: string } }>(
    `mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }`,
    { track },
  );
  return created.id;
}

const detect = ({ client }: System, trackId: string, headers: Readonly<Record<string, string>> = {}) =>
  client.ask(
    `mutation ($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { id } }`,
    {
      detections: [
        {
          trackId,
          timestamp: new Date().toISOString(),
          polygon: { type: "Polygon", coordinates: [square(40, 5, 5)] },
        },
      ],
    },
    headers,
  );
