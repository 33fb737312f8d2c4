// A webhook subscription to all tracks: each signal is delivered once, by the webhooks of one namespace or the other.
import assert from "node:assert/strict";
import { readMessage } from "../../schemas/read-message.ts";
import type { Inspector } from "../support/clients/final-state-inspector.ts";
import { type Receiver, startReceiver } from "../support/clients/receivers.ts";
import type { System } from "../support/running/launch-system.ts";
import { settled } from "../support/running/settled.ts";
import { startStateApi } from "../support/running/state-api.ts";
import { subscriptionBody } from "../support/scenes/subscription-body.ts";

/** Starts webhooks and the REST interface, too. */
export async function subscribeReceiver(system: System): Promise<Receiver> {
  const [url, receiver] = await Promise.all([startStateApi(system), startReceiver(), system.start("webhooks")]);
  const headers = { "x-token-id": system.token.id, "x-token-value": system.token.value };
  const response = await fetch(`${url}/api/subscriptions/all-tracks`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(subscriptionBody(headers, { webhook_url: receiver.url })),
  });
  assert.equal(response.status, 201, await response.text());
  return receiver;
}

/** Resolves with the number of signals. Rejects when one was delivered twice, or not at all. */
export async function expectDeliveredOnce(receiver: Receiver, { read, codec }: Inspector): Promise<number> {
  const raised = async () =>
    (await read("signals")).flatMap(({ message }) => {
      const signal = readMessage(codec, "signals", message.value);
      return signal.ok ? [signal.event.id] : [];
    });
  const ended = async () => {
    const ends = (await read("webhook-deliveries")).flatMap(({ message }) => {
      const end = readMessage(codec, "webhook-deliveries", message.value);
      return end.ok ? [[end.event.id, end.event.status] as const] : [];
    });
    return new Map(ends);
  };
  const pending = async () => {
    const ends = await ended();
    return (await raised()).filter((id) => !ends.has(id));
  };
  await settled(async () => (await pending()).length === 0);
  assert.deepEqual(await pending(), [], "signals without an end of their delivery");
  const ends = await ended();
  const counts = Map.groupBy(receiver.delivered(), ({ id }) => id);
  const wrong = (await raised()).filter(
    (id) => (counts.get(id)?.length ?? 0) !== (ends.get(id) === "delivered" ? 1 : 0),
  );
  assert.deepEqual(wrong, [], "signals that were delivered twice, or not at all");
  return (await raised()).length;
}
