// Brings a parcel to the receiver, with retries: the next one waits, so the order is that of the log.
import type { Catalog } from "../../projections/catalog/catalog.ts";
import { nextAttemptAt, type RetrySettings } from "../../projections/deliveries/outcome.ts";
import { bodyOf } from "../../projections/deliveries/payload.ts";
import { waitingSignal } from "../../projections/deliveries/waiting.ts";
import type { Parcel } from "../../projections/replay/parcels.ts";
import { derivedId } from "../../schemas/identity.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import { pause } from "../common/loop.ts";
import { SessionFailed, SessionLost } from "./failed.ts";
import type { Send } from "./send.ts";

export interface DeliverDeps {
  readonly send: Send;
  readonly catalog: Catalog;
  readonly subscription: SubscriptionSet;
  readonly retries: RetrySettings;
  readonly signal: AbortSignal;
  /** Resolves when the session is still ours; rejects with SessionLost when it is not. */
  readonly stillOurs: () => Promise<void>;
  readonly onError: (error: string) => void;
}

/** Resolves with whether the receiver took it; false = it was given up. Rejects with SessionFailed when the receiver is gone. */
export async function deliver({ signals, isBatch }: Parcel, deps: DeliverDeps): Promise<boolean> {
  const { send, catalog, subscription, retries, signal, stillOurs } = deps;
  const createdAt = Date.now();
  const [first] = signals;
  // A resumed session may gather others into a batch that begins alike: receivers must not take it for a repetition.
  const id = isBatch ? derivedId("replay-batch", ...signals.map((each) => each.id)) : (first?.id ?? "");
  const waiting = signals.map((each) => waitingSignal(each, createdAt));
  const parcel = { id, createdAt, signals: waiting, isBatch, merged: 0 };
  const body = bodyOf(parcel, { subscription, catalog, now: createdAt });
  if (!body.ok) {
    deps.onError(body.reason);
    return false;
  }
  for (let inARow = 1; !signal.aborted; inARow++) {
    // What was deleted meanwhile must not be sent, and the notice of that may be late or lost.
    await stillOurs();
    const { outcome, error } = await send({ id, body: body.text, subscription }, signal);
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
