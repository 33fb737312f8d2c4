import { expect, onTestFinished, test } from "vitest";
import { recordMessage } from "../../../schemas/record-message.ts";
import { createPartitionOf } from "../../../services/common/kafka/partition-of.ts";
import { answering, startReceiver } from "../../support/clients/receivers.ts";
import { until } from "../../support/running/processes.ts";
import { signalRaised } from "../../support/scenes/signals.ts";
import { createWebhooks, QUICK, type Webhooks } from "./installation.ts";

const DAY_MS = 86_400_000;

/** Returns what puts them back as they are now. */
async function keepAll({ redis, keys }: Webhooks): Promise<() => Promise<unknown>> {
  const kept = await Promise.all((await keys()).map(async (key) => [key, await redis.dumpBuffer(key)] as const));
  return async () => {
    const restoring = redis.multi().unlink(await keys());
    for (const [key, value] of kept) if (value !== null) restoring.restore(key, 0, value);
    return restoring.exec();
  };
}

test("when Redis loses everything, what was not delivered is delivered, and nothing is twice", async () => {
  // The receiver that is away must not be given up before it is back.
  const webhooks = await createWebhooks({ WEBHOOKS_STOP_AFTER_FAILURES: "100000" });
  const good = await startReceiver();
  const away = await startReceiver(answering(503));
  onTestFinished(async () => {
    await webhooks.remove();
    await Promise.all([good.close(), away.close()]);
  });
  await webhooks.subscribe("good", good.url);
  await webhooks.subscribe("away", away.url);
  const service = webhooks.start();
  const before = await webhooks.raise("good", [{}, {}, {}]);
  const waiting = await webhooks.raise("away", [{}, {}]);
  await until(async () => (await webhooks.deliveries()).length === 3 && away.received.length > 0);

  await webhooks.redis.unlink(await webhooks.keys());
  // The service cannot note the outcome of a request that was under way while Redis lost its data. The receiver must
  // refuse that request, or it would come twice.
  const asked = away.received.length;
  await until(() => away.received.length >= asked + 2);
  away.behave(answering(200));

  await until(() => away.delivered().length === 2);
  const [last] = await webhooks.raise("good", [{}]);
  await until(() => good.received.at(-1)?.id === last?.id);
  expect(good.received.map(({ id }) => id)).toEqual([...before.map(({ id }) => id), last?.id]);
  expect(away.delivered().map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));

  // The same while nothing runs.
  away.behave(answering(503));
  const [more] = await webhooks.raise("away", [{}]);
  await until(() => away.received.at(-1)?.id === more?.id);
  await until(async () => (await webhooks.deliveries()).length === 6);
  await service.stop();
  await webhooks.redis.unlink(await webhooks.keys());
  away.behave(answering(200));
  webhooks.start();

  await until(() => away.delivered().length === 3);
  expect(away.delivered().at(-1)?.id).toBe(more?.id);
  expect(good.received).toHaveLength(4);

  // Redis comes back without its newest writes, and no signal comes after the one that it has forgotten.
  const goBack = await keepAll(webhooks);
  away.behave(answering(503));
  const [forgotten] = await webhooks.raise("away", [{}]);
  await until(() => away.received.at(-1)?.id === forgotten?.id);
  await goBack();
  away.behave(answering(200));

  await until(() => away.delivered().at(-1)?.id === forgotten?.id);
});

test("when Redis loses everything, signals that are older than any that is tried neither wait nor fail again", async () => {
  const webhooks = await createWebhooks();
  const hook = await startReceiver();
  onTestFinished(async () => {
    await webhooks.remove();
    await hook.close();
  });
  // The topic keeps signals longer than a day, like one that keeps a segment for days although its retention is a
  // day.
  const kept = { "message.timestamp.type": "CreateTime", "retention.ms": "-1" };
  const configEntries = Object.entries(kept).map(([name, value]) => ({ name, value }));
  const name = webhooks.topic("signals");
  await webhooks.admin.alterConfigs({ validateOnly: false, resources: [{ type: 2, name, configEntries }] });
  const { createdAt: generation } = await webhooks.subscribe("s", hook.url);
  const producer = webhooks.kafka.producer();
  await producer.connect();
  // A broker learns of the settings of a topic a moment later. In the other partition nothing else is told.
  const partition = 1 - createPartitionOf(new Map([[name, Number(QUICK.CAMERA_PARTITIONS)]]))(name, "s");
  await until(async () => {
    const [probe] = await producer.send({ topic: name, messages: [{ partition, value: "no signal" }] });
    return probe?.logAppendTime === "-1";
  });
  const events = [3 * DAY_MS, 0].map((age, offset) => ({ age, event: signalRaised("s", offset, { generation }) }));
  for (const { age, event } of events) {
    const written = { source: "test", timeMs: Date.now() - age };
    const { topic, ...message } = recordMessage(
      webhooks.codec,
      webhooks.namespace,
      { type: "SignalRaised", event },
      written,
    );
    await producer.send({ topic, messages: [{ ...message, timestamp: String(Date.now() - age) }] });
  }
  await producer.disconnect();

  webhooks.start();

  await until(async () => (await webhooks.deliveries()).some(({ id }) => id === events[1]?.event.id));
  expect(await webhooks.deliveries()).toMatchObject([{ id: events[1]?.event.id, status: "delivered" }]);
});
