import { expect, onTestFinished, test } from "vitest";
import { until } from "../../support/processes.ts";
import { answering, startReceiver } from "../../support/receivers.ts";
import { createWebhooks, type Webhooks } from "./installation.ts";

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
