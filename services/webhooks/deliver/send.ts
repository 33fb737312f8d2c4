// One attempt of a delivery: a signed POST, and the meaning of the answer.
import { type Outcome, outcomeOf } from "../../../projections/webhooks/deliveries/outcome.ts";
import { signingSecretPlace } from "../../../projections/webhooks/subscriptions/places.ts";
import type { Subscription } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { DeliveryAttempt } from "../../../schemas/records/delivery-ended.ts";
import type { Outbound } from "../../common/outbound/client.ts";
import { OutboundError } from "../../common/outbound/errors.ts";
import { isReceiverFailure, postSigned } from "../../common/outbound/post-signed.ts";
import type { Sealer } from "../../common/sealed.ts";
import type { Receivers } from "../queue/receivers.ts";
import { attemptSeconds, attempts } from "./metrics.ts";
import type { DeliverySlots } from "./slots.ts";

export interface Attempted {
  readonly attempt: DeliveryAttempt;
  readonly outcome: Outcome;
}

export interface Message {
  readonly id: string;
  readonly subscription: Subscription;
  /** Bytes that `load` will bring into memory. */
  readonly bytes: number;
  /** True when the last attempt failed, according to the queue. */
  readonly hasFailed: boolean;
  /**
   * True when the last attempt was slow, according to the queue: this process may not have contacted the receiver yet.
   */
  readonly wasSlow?: boolean;
  /** Called right before the first byte. Nothing is sent when it resolves with false. */
  readonly mayBegin: () => Promise<boolean>;
  /**
   * Called when the request's turn has come.
   * @returns undefined when there is nothing to send any more.
   */
  readonly load: () => Promise<LoadedPayload | undefined>;
}

export interface LoadedPayload {
  readonly body: string;
  /** Records the outcome. Until it resolves the payload is in memory, and the request counts as under way. */
  readonly settle: (attempted: Attempted) => Promise<void>;
}

/** An abort of `begin` lets nothing new begin; an abort of `cut` aborts the requests under way. */
export type SendSignals = Readonly<Record<"begin" | "cut", AbortSignal>>;

export interface SendDeps {
  readonly outbound: Pick<Outbound, "post">;
  readonly sealer: Sealer;
  readonly receivers: Receivers;
  readonly slots: DeliverySlots;
  readonly timeoutMs: number;
}

/**
 * Resolves when the outcome is settled. Nothing is settled when the attempt may not begin, or when a signal aborts
 * first: the receiver may or may not have received the attempt.
 */
export type Send = (message: Message, ends: SendSignals) => Promise<void>;

export function createSend({ outbound, sealer, receivers, slots, timeoutMs }: SendDeps): Send {
  async function post({ id, subscription, mayBegin }: Message, body: string, signal: AbortSignal) {
    const sent = { url: subscription.webhookUrl, id, body, secrets: validSecrets(subscription, sealer) };
    const bounds = { timeoutMs, signal, mayBegin };
    const { status, headers } = await postSigned(outbound, { ...sent, userAgent: "tracklog-webhooks", ...bounds });
    return { status, outcome: outcomeOf({ status, retryAfter: headers["retry-after"] }, Date.now()) };
  }

  async function attempt(message: Message, body: string, cut: AbortSignal): Promise<Attempted | undefined> {
    const at = Date.now();
    const startedAt = performance.now();
    const attempted = (status: number | null, error: string | null, outcome: Outcome): Attempted => {
      const ms = Math.round(performance.now() - startedAt);
      attempts.inc({ outcome: outcome.kind });
      attemptSeconds.observe(ms / 1_000);
      receivers.note(message.subscription.webhookUrl, { ms, failed: outcome.kind !== "delivered" });
      return { attempt: { at, status, error, ms }, outcome };
    };
    try {
      const { status, outcome } = await post(message, body, cut);
      return attempted(status, outcome.kind === "failed" ? outcome.error : null, outcome);
    } catch (error) {
      if (!isReceiverFailure(error)) throw error;
      if (cut.aborted || (error instanceof OutboundError && error.reason === "withheld")) return undefined;
      const text = messageOf(error);
      return attempted(null, text, { kind: "failed", error: text, retryAfterMs: undefined });
    }
  }

  return async (message, { begin, cut }) => {
    const { subscription, bytes, hasFailed, wasSlow } = message;
    const origin = URL.parse(subscription.webhookUrl)?.origin ?? "";
    const known = receivers.standing(subscription.webhookUrl);
    const standing = hasFailed || (wasSlow === true && known === "new") ? "troubled" : known;
    const release = await slots.take({ origin, standing, bytes }, begin);
    if (release === undefined) return;
    try {
      const loaded = await message.load();
      if (loaded === undefined) return;
      const attempted = await attempt(message, loaded.body, cut);
      if (attempted !== undefined) await loaded.settle(attempted);
    } finally {
      release();
    }
  };
}

function validSecrets({ key, secrets }: Subscription, sealer: Sealer): string[] {
  const valid = secrets.filter(({ validUntil }) => validUntil === null || validUntil > Date.now());
  return valid.map(({ sealed }) => sealer.open(sealed, signingSecretPlace(key)));
}
