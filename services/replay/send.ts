// One attempt to bring a parcel to the receiver, signed.
import { type Outcome, outcomeOf } from "../../projections/deliveries/outcome.ts";
import { signedHeaders } from "../../projections/deliveries/signature.ts";
import { signingSecretPlace } from "../../projections/subscriptions/places.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import type { Outbound } from "../common/outbound/client.ts";
import { OutboundError } from "../common/outbound/errors.ts";
import { SealError, type Sealer } from "../common/sealed.ts";

export interface Message {
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly subscription: SubscriptionSet;
}

export interface Attempted {
  readonly outcome: Outcome;
  /** Empty when it was taken. */
  readonly error: string;
}

/** Rejects only when the signal came first. */
export type Send = (message: Message, signal: AbortSignal) => Promise<Attempted>;

export interface SendDeps {
  readonly outbound: Pick<Outbound, "post">;
  readonly sealer: Sealer;
  readonly timeoutMs: number;
}

/** An answer says nothing to us beyond its status. */
const MAX_RESPONSE_BYTES = 64 * 1024;

export function createSend({ outbound, sealer, timeoutMs }: SendDeps): Send {
  return async ({ id, body, subscription }, signal) => {
    try {
      const secrets = subscription.secrets.map(({ sealed }) =>
        sealer.open(sealed, signingSecretPlace(subscription.key)),
      );
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "tracklog-replay",
        ...signedHeaders(id, Date.now(), body, secrets),
      };
      const bounds = { timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES, signal };
      const { status, headers: answered } = await outbound.post(subscription.webhookUrl, { body, headers, ...bounds });
      const outcome = outcomeOf({ status, retryAfter: answered["retry-after"] }, Date.now());
      if (outcome.kind === "delivered") return { outcome, error: "" };
      return { outcome, error: (outcome.kind === "failed" && outcome.error) || `the receiver answered ${status}` };
    } catch (error) {
      if (signal.aborted || !(error instanceof OutboundError || error instanceof SealError)) throw error;
      const text = messageOf(error);
      return { outcome: { kind: "failed", error: text, retryAfterMs: undefined }, error: text };
    }
  };
}
