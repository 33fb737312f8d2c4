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
import { type TraceSpan, tracing } from "../../common/tracing/tracing.ts";
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
  /** Traces of its signals, which the attempt belongs to. */
  readonly traces?: readonly string[];
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
  async function post({ id, subscription, mayBegin }: Message, { body, span, cut: signal }: Attempting) {
    const sent = { url: subscription.webhookUrl, id, body, secrets: validSecrets(subscription, sealer) };
    const traceParent = tracing?.tellsReceivers === true ? span?.traceParent : undefined;
    const given = { timeoutMs, signal, mayBegin, traceParent, userAgent: "tracklog-webhooks" };
    const { status, headers } = await postSigned(outbound, { ...sent, ...given });
    return { status, outcome: outcomeOf({ status, retryAfter: headers["retry-after"] }, Date.now()) };
  }

  async function attempt(message: Message, attempting: Attempting): Promise<Attempted | undefined> {
    const { span, cut } = attempting;
    const at = Date.now();
    const startedAt = performance.now();
    const attempted = (status: number | null, error: string | null, outcome: Outcome): Attempted => {
      const ms = Math.round(performance.now() - startedAt);
      attempts.inc({ outcome: outcome.kind });
      attemptSeconds.observe(ms / 1_000);
      receivers.note(message.subscription.webhookUrl, { ms, failed: outcome.kind !== "delivered" });
      const answered = status === null ? {} : { "http.response.status_code": status };
      span?.end(answered, outcome.kind === "delivered" ? undefined : outcome.kind);
      return { attempt: { at, status, error, ms }, outcome };
    };
    try {
      const { status, outcome } = await post(message, attempting);
      return attempted(status, outcome.kind === "failed" ? outcome.error : null, outcome);
    } catch (error) {
      if (!isReceiverFailure(error)) throw error;
      // An attempt that did not begin, or was cut off, has no outcome, and its span is never sent.
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
      const { body, traces = [] } = loaded;
      const span = tracing?.follow({ name: "deliver webhook", kind: "client" }, traces);
      const begin = () => attempt(message, { body, cut, span });
      const attempted = await (span === undefined ? begin() : span.run(begin));
      if (attempted !== undefined) await loaded.settle(attempted);
    } finally {
      release();
    }
  };
}

/** A body that is being sent. */
interface Attempting {
  readonly body: string;
  readonly cut: AbortSignal;
  /** Undefined when none of the signals is traced. */
  readonly span: TraceSpan | undefined;
}

function validSecrets({ key, secrets }: Subscription, sealer: Sealer): string[] {
  const valid = secrets.filter(({ validUntil }) => validUntil === null || validUntil > Date.now());
  return valid.map(({ sealed }) => sealer.open(sealed, signingSecretPlace(key)));
}
