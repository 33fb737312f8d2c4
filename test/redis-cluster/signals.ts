// Subscriptions to all tracks and zones: their receiver must get every signal that folding the whole log raises.
import { setTimeout as delay } from "node:timers/promises";
import { readMessage } from "../../schemas/read-message.ts";
import type { Inspector } from "../support/clients/final-state-inspector.ts";
import { type Receiver, startReceiver } from "../support/clients/receivers.ts";
import { askAt, type Headers } from "../support/clients/rest-client.ts";
import { expectedSignals, idsOf, raisedSignals } from "../support/oracles/expected-signals.ts";
import { subscriptionBody } from "../support/scenes/subscription-body.ts";

export const SUBSCRIPTIONS = { tracks: "track_state", zones: "zone_state" } as const;

/** The state machine reads a subscription a moment after its creation. */
const READ_AFTER_MS = 1_000;
const STUCK_MS = 60_000;
const POLL_MS = 500;

export async function subscribeToAll(url: string, token: Headers): Promise<Receiver> {
  const receiver = await startReceiver();
  const ask = askAt(url, token);
  for (const [id, signal_type] of Object.entries(SUBSCRIPTIONS)) {
    const body = subscriptionBody(token, { webhook_url: receiver.url, signal_type });
    const { status } = await ask("POST", `/api/subscriptions/${id}`, body);
    if (status !== 201) throw new Error(`the subscription ${id} was answered with ${status}`);
  }
  await delay(READ_AFTER_MS);
  return receiver;
}

/** Rejects with the first difference. Resolves with the figures. */
export async function expectSignals(
  inspector: Inspector,
  { received }: Receiver,
  trackTtlMs: number,
  tests: readonly string[],
) {
  const { read, codec } = inspector;
  const subscriptions = (await read("subscriptions")).flatMap(({ message }) => {
    const found = readMessage(codec, "subscriptions", message.value);
    return found.ok && "createdAt" in found.event ? [found.event] : [];
  });
  const expected = expectedSignals(await read("camera-log"), subscriptions, codec, { trackTtlMs });
  const raised = raisedSignals(await read("signals"), codec);
  const [wanted, found] = [idsOf(expected), idsOf(raised)];
  for (const [key, ids] of Object.entries(wanted)) {
    const differs = ids.findIndex((id, i) => id !== found[key]?.[i]);
    if (differs >= 0 || ids.length !== found[key]?.length)
      throw new Error(`signals of ${key} differ from ${differs} on`);
  }
  const ids = [...new Set(expected.map(({ id }) => id)), ...tests];
  await untilAllAreIn("what the receiver got", ids, async () => received.map(({ id }) => id));
  await untilAllAreIn("the delivery log", ids, async () =>
    (await read("webhook-deliveries")).flatMap(({ message }) => endedIds(inspector, message.value)),
  );
  return {
    signals: ids.length,
    raisedTwice: raised.length - new Set(raised.map(({ id }) => id)).size,
    sent: received.length,
  };
}

/** A receiver gets one signal after the other, so this takes as long as more of them come. */
async function untilAllAreIn(place: string, ids: readonly string[], read: () => Promise<readonly string[]>) {
  let fewest = Number.POSITIVE_INFINITY;
  let since = performance.now();
  for (;;) {
    const found = new Set(await read());
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) return;
    if (missing.length < fewest) since = performance.now();
    fewest = Math.min(fewest, missing.length);
    if (performance.now() - since > STUCK_MS)
      throw new Error(`${place} lacks ${fewest} of ${ids.length}: ${missing[0]}`);
    await delay(POLL_MS);
  }
}

function endedIds({ codec }: Inspector, value: Buffer | null): readonly string[] {
  const found = readMessage(codec, "webhook-deliveries", value);
  return found.ok ? [found.event.id, ...found.event.signalIds] : [];
}

/** Returns the longest time between two signals, ms. */
export function longestPause({ received }: Receiver, fromMs: number, toMs: number): number {
  const times = [fromMs, ...received.map(({ at }) => at).filter((at) => at > fromMs && at < toMs), toMs];
  return Math.max(...times.map((at, i) => at - (times[i - 1] ?? at)));
}
