// A signal that waits for its delivery, as the queue keeps it.
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";

export interface WaitingSignal
  extends Pick<SignalRaised, "id" | "signal" | "subjectId" | "timestamp" | "state" | "emitReason" | "expiredBy"> {
  /** Absent in signals of earlier versions. */
  readonly dataSourceId?: string | null;
  /** The broker's time of the signal, ms. */
  readonly createdAt: number;
}

export function waitingSignal(raised: SignalRaised, createdAt: number): WaitingSignal {
  const { id, signal, subjectId, dataSourceId, timestamp, state, emitReason, expiredBy } = raised;
  return { id, signal, subjectId, dataSourceId, timestamp, state, emitReason, expiredBy, createdAt };
}

/**
 * Whether the next one of its track or zone may take its place while the receiver lags. Firsts and lasts, and changes of
 * a composition, are events of their own. So is whatever a chronicle says.
 */
export const isMergeable = ({ signal, emitReason }: Pick<WaitingSignal, "signal" | "emitReason">): boolean =>
  (signal === "track_updated" || signal === "zone_updated") && emitReason !== "composition_changed";

/** Its cause among the signals of one subscription: later ones are greater, repetitions are not. */
export interface Cause {
  /** The log in which offsets are counted. */
  readonly log: string;
  readonly offset: number;
  readonly index: number;
}

/** `logIds`: of the topics that signals derive from, so that a replaced log begins anew. */
export function causeOf({ cause }: SignalRaised, logIds: ReadonlyMap<string, string>): Cause {
  const { topic, partition, offset, index } = cause;
  return { log: `${logIds.get(topic) ?? topic}/${partition}`, offset, index };
}

/** What is sent as one. */
export interface Parcel {
  /** The `webhook-id`. */
  readonly id: string;
  /** ms; about that of the signal. */
  readonly createdAt: number;
  /** Several: a batch. */
  readonly signals: readonly WaitingSignal[];
  readonly isBatch: boolean;
  /** How many earlier updates it took the place of. */
  readonly merged: number;
}

/** The track or zone of an update, with which the next may be merged; "" = it can have none. */
export const subjectOf = ({ isBatch, signals: [first] }: Parcel): string =>
  isBatch || first === undefined ? "" : subjectKey(first);

/** Two data sources may give their tracks the same id. The scripts build the key in the same way. */
export const subjectKey = ({ dataSourceId, subjectId }: WaitingSignal): string =>
  dataSourceId == null ? subjectId : `${dataSourceId}\u0000${subjectId}`;

/** An item of the queue as the store keeps it: a signal, or the ids of a batch's signals. */
export function parseItem(text: string): { readonly batch: readonly string[] } | { readonly signal: WaitingSignal } {
  // The texts are ours.
  const item: WaitingSignal | { readonly batch: readonly string[] } = JSON.parse(text);
  return "batch" in item ? item : { signal: item };
}

/** The ms in which a delivery was put into the queue, by its order there. */
export const createdAtOf = (order: number): number => Math.floor(order / 1_000);
