// One attempt to deliver a signed parcel to the receiver.
import { type Outcome, outcomeOf } from "../../projections/webhooks/deliveries/outcome.ts";
import { signedHeaders } from "../../projections/webhooks/deliveries/signature.ts";
import { signingSecretPlace } from "../../projections/webhooks/subscriptions/places.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import type { Outbound } from "../common/outbound/client.ts";
import { OutboundError } from "../common/outbound/errors.ts";
import { SealError, type Sealer } from "../common/sealed.ts";

export interface ReplayMessage {
  /** Value of the header `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly subscription: SubscriptionSet;
}

export interface ReplayAttempt {
  readonly outcome: Outcome;
  /** Empty when the receiver took the message. */
  readonly error: string;
}

/** Rejects only when the signal aborts first. */
export type SendReplay = (message: ReplayMessage, signal: AbortSignal) => Promise<ReplayAttempt>;

export interface SendReplayDeps {
  readonly outbound: Pick<Outbound, "post">;
  readonly sealer: Sealer;
  readonly timeoutMs: number;
}

/**
 * Only the status of an answer counts. The body is read up to this many bytes, so that the connection can be reused.
 */
const MAX_RESPONSE_BYTES = 64 * 1024;

export function createSendReplay({ outbound, sealer, timeoutMs }: SendReplayDeps): SendReplay {
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
