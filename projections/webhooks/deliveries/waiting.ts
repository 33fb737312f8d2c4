// A signal that waits for its delivery, as the queue stores it.
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";

export interface WaitingSignal
  extends Pick<SignalRaised, "id" | "signal" | "subjectId" | "timestamp" | "state" | "emitReason" | "expiredBy"> {
  /** Absent in signals of earlier versions. */
  readonly dataSourceId?: string | null;
  /** The broker's time of the signal, ms. */
  readonly createdAt: number;
  /** Present when the trace of the signal is recorded. It has no effect on the delivery. */
  readonly traceParent?: string;
}

export function waitingSignal(raised: SignalRaised, createdAt: number, traceParent?: string): WaitingSignal {
  const { id, signal, subjectId, dataSourceId, timestamp, state, emitReason, expiredBy } = raised;
  const waiting = { id, signal, subjectId, dataSourceId, timestamp, state, emitReason, expiredBy, createdAt };
  return traceParent === undefined ? waiting : { ...waiting, traceParent };
}

/**
 * @returns true when the next signal of the track or zone may replace this one while the receiver lags. First and last
 * signals, changes of a composition, and all signals of chronicles are events of their own.
 */
export const isMergeable = ({ signal, emitReason }: Pick<WaitingSignal, "signal" | "emitReason">): boolean =>
  (signal === "track_updated" || signal === "zone_updated") && emitReason !== "composition_changed";

/**
 * The position of a signal's cause, by which the signals of one subscription are compared: a later cause is greater, a
 * repeated one is not.
 */
export interface WaitingCause {
  /** Names the log in which offsets are counted. */
  readonly log: string;
  readonly offset: number;
  readonly index: number;
}

/**
 * `logIds` has the log id of each topic from which signals derive. A replaced log has another id, so its offsets are
 * not compared with those of the former log.
 */
export function causeOf({ cause }: SignalRaised, logIds: ReadonlyMap<string, string>): WaitingCause {
  const { topic, partition, offset, index } = cause;
  return { log: `${logIds.get(topic) ?? topic}/${partition}`, offset, index };
}

/** The signals that are sent as one delivery. */
export interface Parcel {
  /** The `webhook-id`. */
  readonly id: string;
  /** Time of its creation, ms; about that of the signal. */
  readonly createdAt: number;
  /** One signal, or several in a batch. */
  readonly signals: readonly WaitingSignal[];
  readonly isBatch: boolean;
  /** Number of earlier updates that the signal replaced. */
  readonly merged: number;
}

/** Returns the `traceparent` of those signals whose trace is recorded. */
export const tracesOf = ({ signals }: Pick<Parcel, "signals">): readonly string[] =>
  signals.flatMap(({ traceParent }) => traceParent ?? []);

/**
 * @returns the key of the track or zone of an update, with which the next update may be merged; "" when none may be
 * merged with it.
 */
export const mergeSubjectOf = ({ isBatch, signals: [first] }: Parcel): string =>
  isBatch || first === undefined ? "" : subjectKey(first);

/**
 * The key contains the data source, because two data sources may give their tracks the same id. The Lua scripts build
 * the key in the same way.
 */
export const subjectKey = ({ dataSourceId, subjectId }: WaitingSignal): string =>
  dataSourceId == null ? subjectId : `${dataSourceId}\u0000${subjectId}`;

/** Reads an item of the queue as the store has it: a signal, or the ids of a batch's signals. */
export function parseItem(text: string): { readonly batch: readonly string[] } | { readonly signal: WaitingSignal } {
  // The text is not checked, because only the webhooks write it.
  const item: WaitingSignal | { readonly batch: readonly string[] } = JSON.parse(text);
  return "batch" in item ? item : { signal: item };
}

/**
 * Returns the time (ms) at which a delivery was put into the queue. `order`, its place in the queue, contains this
 * time.
 */
export const createdAtOf = (order: number): number => Math.floor(order / 1_000);
