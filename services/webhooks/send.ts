// One attempt of a delivery: a signed POST, and what the answer means.
import { type Outcome, outcomeOf } from "../../projections/deliveries/outcome.ts";
import { signedHeaders } from "../../projections/deliveries/signature.ts";
import { signingSecretPlace } from "../../projections/subscriptions/places.ts";
import type { Subscription } from "../../projections/subscriptions/subscriptions.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { DeliveryAttempt } from "../../schemas/records/delivery-ended.ts";
import type { Outbound } from "../common/outbound/client.ts";
import { OutboundError } from "../common/outbound/errors.ts";
import { SealError, type Sealer } from "../common/sealed.ts";
import type { Slots } from "./slots.ts";

export interface Attempted {
  readonly attempt: DeliveryAttempt;
  readonly outcome: Outcome;
}

export interface Message {
  readonly id: string;
  readonly body: string;
  readonly subscription: Subscription;
  /** Asked right before the request: false = the subscription has changed, and nothing is sent. */
  readonly isStill: () => boolean;
  /** Whether the receiver's last attempt failed or was slow. */
  readonly isTroubled: boolean;
}

/** `begin`: nothing begins any more; `cut`: what is under way is given up. */
export type Ends = Readonly<Record<"begin" | "cut", AbortSignal>>;

export interface SendDeps {
  readonly outbound: Pick<Outbound, "post">;
  readonly sealer: Sealer;
  readonly slots: Slots;
  readonly timeoutMs: number;
}

/**
 * Resolves with undefined when the subscription has changed, or the signal came first: the attempt may then have reached
 * the receiver or not.
 */
export type Send = (message: Message, ends: Ends) => Promise<Attempted | undefined>;

/** An answer says nothing to us beyond its status: no more of it is read than a connection that goes on needs. */
const MAX_RESPONSE_BYTES = 64 * 1024;

export function createSend({ outbound, sealer, slots, timeoutMs }: SendDeps): Send {
  async function post({ id, body, subscription }: Message, signal: AbortSignal) {
    const secrets = validSecrets(subscription, sealer);
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "tracklog-webhooks",
      ...signedHeaders(id, Date.now(), body, secrets),
    };
    const bounds = { timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES, signal };
    const { status, headers: answered } = await outbound.post(subscription.webhookUrl, { body, headers, ...bounds });
    return { status, outcome: outcomeOf({ status, retryAfter: answered["retry-after"] }, Date.now()) };
  }

  return async (message, { begin, cut }) => {
    const origin = URL.parse(message.subscription.webhookUrl)?.origin ?? "";
    const release = await slots.take({ origin, isTroubled: message.isTroubled }, begin);
    if (release === undefined) return undefined;
    const at = Date.now();
    const startedAt = performance.now();
    try {
      if (!message.isStill()) return undefined;
      const { status, outcome } = await post(message, cut);
      const error = outcome.kind === "failed" ? outcome.error : null;
      return { attempt: { at, status, error, ms: Math.round(performance.now() - startedAt) }, outcome };
    } catch (error) {
      if (!(error instanceof OutboundError) && !(error instanceof SealError)) throw error;
      if (cut.aborted) return undefined;
      const text = messageOf(error);
      const outcome = { kind: "failed", error: text, retryAfterMs: undefined } as const;
      return { attempt: { at, status: null, error: text, ms: Math.round(performance.now() - startedAt) }, outcome };
    } finally {
      release();
    }
  };
}

function validSecrets({ key, secrets }: Subscription, sealer: Sealer): string[] {
  const valid = secrets.filter(({ validUntil }) => validUntil === null || validUntil > Date.now());
  return valid.map(({ sealed }) => sealer.open(sealed, signingSecretPlace(key)));
}
