// One attempt to deliver a signed parcel of a replay to its receiver.
import { type Outcome, outcomeOf } from "../../projections/webhooks/deliveries/outcome.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import type { Outbound } from "../common/outbound/client.ts";
import { isReceiverFailure, postSigned } from "../common/outbound/post-signed.ts";
import { tracing } from "../common/tracing/tracing.ts";

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
  /** May throw SealError: the delivery has then failed. */
  readonly secretsOf: (subscription: SubscriptionSet) => readonly string[];
  readonly timeoutMs: number;
}

export function createSendReplay({ outbound, secretsOf, timeoutMs }: SendReplayDeps): SendReplay {
  return async ({ id, body, subscription }, signal) => {
    // A replay has no mutation that it follows from, so each attempt may begin a trace.
    const span = tracing?.begin({ name: "deliver replay", kind: "client" });
    try {
      const secrets = secretsOf(subscription);
      const sent = { url: subscription.webhookUrl, id, body, secrets, userAgent: "tracklog-replay" };
      const traceParent = tracing?.tellsReceivers === true ? span?.traceParent : undefined;
      const { status, headers } = await postSigned(outbound, { ...sent, timeoutMs, signal, traceParent });
      const outcome = outcomeOf({ status, retryAfter: headers["retry-after"] }, Date.now());
      span?.end({ "http.response.status_code": status }, outcome.kind === "delivered" ? undefined : outcome.kind);
      if (outcome.kind === "delivered") return { outcome, error: "" };
      return { outcome, error: (outcome.kind === "failed" && outcome.error) || `the receiver answered ${status}` };
    } catch (error) {
      if (signal.aborted || !isReceiverFailure(error)) throw error;
      span?.end({}, "failed");
      const text = messageOf(error);
      return { outcome: { kind: "failed", error: text, retryAfterMs: undefined }, error: text };
    }
  };
}
