// Raises one signal for one subscription.
import { derivedId } from "../../schemas/identity.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import type { Fold } from "../live/state.ts";
import type { Listener } from "./listeners.ts";

export interface Told extends Pick<SignalRaised, "signal" | "subjectId" | "timestamp"> {
  /** Called only if the signal is raised. */
  readonly state: () => string;
  readonly emitReason?: SignalRaised["emitReason"];
  readonly expiredBy?: SignalRaised["expiredBy"];
  /** Of a track: another data source may give one the same id. */
  readonly dataSourceId?: string;
}

/** A signal's state costs as much as the look at so many geofences. */
const SIGNAL_COST = 16;

export const hears = ({ recordedAt }: Fold, { since }: Listener): boolean => recordedAt >= since;

/** `tag`: in lower case. */
export const wants = ({ tags }: Listener, tag: string): boolean => tags.size === 0 || tags.has(tag);

export function raise(fold: Fold, { id, generation }: Listener, told: Told): void {
  fold.raised ??= new Map();
  const index = fold.raised.get(id) ?? 0;
  fold.raised.set(id, index + 1);
  const { partition, signalsFrom } = fold.state;
  if (fold.offset < signalsFrom) return;
  const { signal, subjectId, timestamp, dataSourceId = null, emitReason = null, expiredBy = null } = told;
  const state = told.state();
  fold.looked += SIGNAL_COST;
  fold.out.signalCharacters += state.length;
  fold.out.signals.push({
    id: derivedId("signal", id, `${generation}`, signal, subjectId, `${partition}`, `${fold.offset}`, `${index}`),
    ...{ subscriptionId: id, generation, signal, subjectId, dataSourceId, timestamp, state, emitReason, expiredBy },
    cause: { topic: "camera-log", partition, offset: fold.offset, index },
  });
}

/** Makes a text that several subscriptions share, when the first one needs it. */
export function once(make: () => string): () => string {
  let text: string | undefined;
  return () => (text ??= make());
}
