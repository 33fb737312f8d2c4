// Raises one signal for one subscription.
import { derivedId } from "../../../schemas/identity.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import { addOutput } from "../../live/outputs.ts";
import type { Fold } from "../../live/state.ts";
import type { SignalSubscriber } from "./subscribers.ts";

export interface RaisedSignal extends Pick<SignalRaised, "signal" | "subjectId" | "timestamp"> {
  /** Called only when the signal is written, because the text is expensive. */
  readonly state: () => string;
  readonly emitReason?: SignalRaised["emitReason"];
  readonly expiredBy?: SignalRaised["expiredBy"];
  /** Given for tracks, because another data source may give a track the same id. */
  readonly dataSourceId?: string;
}

/** A signal's state costs as much as testing this many geofences. */
const SIGNAL_COST = 16;

export const isSubscribedAt = ({ recordedAt }: Fold, { since }: SignalSubscriber): boolean => recordedAt >= since;

/** `tag` must be in lower case. */
export const wants = ({ tags }: SignalSubscriber, tag: string): boolean => tags.size === 0 || tags.has(tag);

export function raise(fold: Fold, { id, generation }: SignalSubscriber, fields: RaisedSignal): void {
  fold.raised ??= new Map();
  const index = fold.raised.get(id) ?? 0;
  fold.raised.set(id, index + 1);
  const { partition, signalsFrom } = fold.state;
  if (fold.offset < signalsFrom) return;
  const { signal, subjectId, timestamp, dataSourceId = null, emitReason = null, expiredBy = null } = fields;
  const state = fields.state();
  fold.workSincePause += SIGNAL_COST;
  addOutput(fold.out, "signals", {
    id: derivedId("signal", id, `${generation}`, signal, subjectId, `${partition}`, `${fold.offset}`, `${index}`),
    subscriptionId: id,
    generation,
    signal,
    subjectId,
    dataSourceId,
    timestamp,
    state,
    emitReason,
    expiredBy,
    cause: { topic: "camera-log", partition, offset: fold.offset, index },
  });
}

/** Returns a function that makes the text at its first call. Several subscriptions share the text. */
export function once(make: () => string): () => string {
  let text: string | undefined;
  return () => (text ??= make());
}
