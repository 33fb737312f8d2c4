// Delivers a parcel of a replay to its receiver, with retries. The next one waits, so the order is that of the log.
import type { Catalog } from "../../projections/catalog/catalog.ts";
import type { ReplayParcel } from "../../projections/replay/parcels.ts";
import { nextAttemptAt, type Outcome, type RetrySettings } from "../../projections/webhooks/deliveries/outcome.ts";
import { bodyOf } from "../../projections/webhooks/deliveries/payload.ts";
import { waitingSignal } from "../../projections/webhooks/deliveries/waiting.ts";
import { derivedId } from "../../schemas/identity.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import { pause } from "../common/loop.ts";
import { SessionFailed, SessionLost } from "./failed.ts";
import type { SendReplay } from "./send.ts";

export interface DeliverDeps {
  readonly send: SendReplay;
  readonly catalog: Catalog;
  readonly subscription: SubscriptionSet;
  readonly retries: RetrySettings;
  readonly signal: AbortSignal;
  /** Resolves while this process has the session; rejects with SessionLost when it has not. */
  readonly stillOurs: () => Promise<void>;
  /** Called after each attempt, before `onError`. */
  readonly onAttempt: (outcome: Outcome["kind"]) => void;
  readonly onError: (error: string) => void;
}

/**
 * Rejects with SessionFailed when the receiver is gone.
 * @returns true when the receiver took the parcel, false when it was given up.
 */
export async function deliverParcel({ signals, isBatch }: ReplayParcel, deps: DeliverDeps): Promise<boolean> {
  const { send, catalog, subscription, retries, signal, stillOurs } = deps;
  const createdAt = Date.now();
  const [first] = signals;
  // The id of a batch covers all its signals. A resumed session may gather a batch that only begins with the same
  // signals, and receivers must not take it for a repetition.
  const id = isBatch ? derivedId("replay-batch", ...signals.map((each) => each.id)) : (first?.id ?? "");
  const waiting = signals.map((each) => waitingSignal(each, createdAt));
  const parcel = { id, createdAt, signals: waiting, isBatch, merged: 0 };
  const body = bodyOf(parcel, { subscription, catalog, now: createdAt });
  if (!body.ok) {
    deps.onError(body.reason);
    return false;
  }
  for (let inARow = 1; !signal.aborted; inARow++) {
    // A deleted session must not send, and the notice of its deletion may be late or lost.
    await stillOurs();
    const { outcome, error } = await send({ id, body: body.text, subscription }, signal);
    deps.onAttempt(outcome.kind);
    if (outcome.kind === "delivered") return true;
    deps.onError(error);
    if (outcome.kind === "gone") throw new SessionFailed("the receiver answered 410: it wants nothing any more");
    const now = Date.now();
    const { retryAfterMs } = outcome;
    const nextAt = nextAttemptAt({ createdAt, now, inARow, retryAfterMs, random: Math.random() }, retries);
    if (nextAt === undefined) return false;
    await pause(nextAt - now, signal);
  }
  throw new SessionLost("stopped");
}
