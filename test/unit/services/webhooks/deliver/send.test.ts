import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Subscription } from "../../../../../projections/webhooks/subscriptions/subscriptions.ts";
import { createSend, type Message } from "../../../../../services/webhooks/deliver/send.ts";
import { createDeliverySlots, type Wish } from "../../../../../services/webhooks/deliver/slots.ts";
import { createReceivers } from "../../../../../services/webhooks/queue/receivers.ts";

const never = new AbortController().signal;
const ends = { begin: never, cut: never };
const receiverAt = (host: string) =>
  ({ key: host, webhookUrl: `https://${host}/hook`, secrets: [] }) as unknown as Subscription;

const message = (host: string, given: Partial<Message> = {}): Message => ({
  ...{ id: "i", subscription: receiverAt(host), bytes: 1, hasFailed: false, wasSlow: false },
  mayBegin: async () => true,
  load: async () => ({ body: "{}", settle: async () => {} }),
  ...given,
});

interface Given {
  readonly requests?: number;
  readonly answerAfterMs?: number;
}

function sender({ requests = 8, answerAfterMs = 0 }: Given = {}) {
  const slots = createDeliverySlots({ requests, bytes: 1_000_000, perOrigin: 8 });
  const standings: Wish["standing"][] = [];
  const send = createSend({
    outbound: {
      async post() {
        vi.advanceTimersByTime(answerAfterMs);
        return { status: 200, headers: {}, body: Buffer.alloc(0), cut: false };
      },
    },
    sealer: { seal: String, open: String, isCurrent: () => true, knows: () => true },
    receivers: createReceivers(),
    slots: {
      take(wish, signal) {
        standings.push(wish.standing);
        return slots.take(wish, signal);
      },
    },
    timeoutMs: 10_000,
  });
  return { send, slots, standings };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

test("a receiver that takes nine seconds for each answer is troubled from then on, whoever sends to it", async () => {
  const { send, standings } = sender({ answerAfterMs: 9_000 });

  for (let n = 0; n < 3; n++) await send(message("slow"), ends);

  expect(standings).toEqual(["new", "troubled", "troubled"]);
});

test("a receiver that answers at once is quick, unless the queue knows of a failure", async () => {
  const { send, standings } = sender();

  await send(message("good"), ends);
  await send(message("good"), ends);
  await send(message("good", { hasFailed: true }), ends);

  expect(standings).toEqual(["new", "quick", "troubled"]);
});

test("a receiver that was slow before this process began is troubled until it has answered quickly", async () => {
  const { send, standings } = sender();

  await send(message("slow", { wasSlow: true }), ends);
  await send(message("slow", { wasSlow: true }), ends);

  expect(standings).toEqual(["troubled", "quick"]);
});

test("a payload is loaded when the request's turn has come, and the turn ends when the outcome is noted", async () => {
  const { send, slots } = sender({ requests: 1 });
  const noted = Promise.withResolvers<void>();
  const settle = vi.fn(() => noted.promise);
  const load = vi.fn(async () => ({ body: "{}", settle }));
  const release = await slots.take({ origin: "https://other", standing: "quick", bytes: 1 }, never);

  const sending = send(message("good", { load }), ends);
  await Promise.resolve();
  expect(load).not.toHaveBeenCalled();
  release?.();
  await vi.waitFor(() => expect(settle).toHaveBeenCalledTimes(1));
  const next = slots.take({ origin: "https://other", standing: "quick", bytes: 1 }, never);
  let isGiven = false;
  void next.then(() => {
    isGiven = true;
  });
  await Promise.resolve();
  expect(isGiven).toBe(false);
  noted.resolve();
  await sending;
  expect(await next).toBeDefined();
});
