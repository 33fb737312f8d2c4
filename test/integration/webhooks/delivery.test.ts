import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { DeliveryEnded } from "../../../schemas/records/delivery-ended.ts";
import { until } from "../../support/processes.ts";
import { answering, type Behaviour, startReceiver } from "../../support/receivers.ts";
import { createWebhooks, type Webhooks } from "./installation.ts";

let webhooks: Webhooks;

beforeAll(async () => {
  webhooks = await createWebhooks();
  webhooks.start();
});
afterAll(() => webhooks.remove());

async function receiver(behaviour?: Behaviour) {
  const started = await startReceiver(behaviour);
  onTestFinished(started.close);
  return started;
}

/** Resolves when the log has so many of a subscription's. */
async function logged(id: string, count: number): Promise<readonly DeliveryEnded[]> {
  let found: readonly DeliveryEnded[] = [];
  await until(async () => {
    found = (await webhooks.deliveries()).filter(({ subscriptionId }) => subscriptionId === id);
    return found.length >= count;
  });
  return found;
}

test("signals come in order, each with its subject, names and a signature for every valid secret", async () => {
  const hook = await receiver();
  const [newer, older] = [webhooks.newSecret(), webhooks.newSecret()];
  await webhooks.subscribe("order", hook.url, { secrets: [newer, older] });

  const raised = await webhooks.raise("order", [
    { signal: "track_created" },
    { signal: "track_updated" },
    { signal: "track_expired", expiredBy: "event_time" },
  ]);

  await until(() => hook.received.length === 3);
  expect(hook.received.map(({ id }) => id)).toEqual(raised.map(({ id }) => id));
  for (const { headers, text } of hook.received) {
    const signed = headers as Record<string, string>;
    expect(headers["content-type"]).toMatch(/^application\/json/);
    for (const secret of [newer, older]) expect(new Webhook(secret).verify(text, signed)).toEqual(JSON.parse(text));
    expect(() => new Webhook(webhooks.newSecret()).verify(text, signed)).toThrow();
  }
  expect(JSON.parse(hook.received[2]?.text ?? "")).toMatchObject({
    signal: "track_expired",
    expired_by: "event_time",
    track_state: { track_id: "t1", datasource_id: "cam", device_id: null },
    trigger_config: { mode: "streaming", signal_type: "track_state", workflow: { id: "w1", name: "gates" } },
  });
  const log = await logged("order", 3);
  expect(log.map(({ id, status, signalIds }) => [id, status, signalIds])).toEqual(
    raised.map(({ id }) => [id, "delivered", [id]]),
  );
  expect(log[0]?.body).toBe(hook.received[0]?.text);
});

test("a failure is repeated with the same id until it succeeds, and the next signal waits for it", async () => {
  const hook = await receiver((response, nth, request) => answering(nth < 3 ? 500 : 200)(response, nth, request));
  await webhooks.subscribe("retry", hook.url);

  const [first, second] = await webhooks.raise("retry", [{}, {}]);

  await until(() => hook.delivered().length === 2);
  expect(hook.received.map(({ id }) => id)).toEqual([first?.id, first?.id, first?.id, first?.id, second?.id]);
  const log = await logged("retry", 2);
  expect(log[0]?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
});
