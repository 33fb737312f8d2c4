// What goes out together: each signal alone, or those of an interval of event time.
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import { configBytes } from "../deliveries/payload.ts";
import type { ReplaySpec } from "./session.ts";

export interface Parcel {
  readonly signals: readonly SignalRaised[];
  readonly isBatch: boolean;
  /** Event time at which it goes out, ms. */
  readonly at: number;
}

export interface Parcels {
  /** The parcels that are complete with this signal. */
  add(signal: SignalRaised): Parcel[];
  /** The parcels that are complete when event time has come so far, ms. */
  due(at: number): Parcel[];
  /** What is left at the end. */
  finish(): Parcel[];
}

/** A request must not grow without bound. */
const MOST_SIGNALS = 1_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

export const createParcels = ({ subscription }: Pick<ReplaySpec, "subscription">): Parcels =>
  subscription.mode === "batch" ? batches(subscription.batchInterval * 1_000, configBytes(subscription)) : single;

const single: Parcels = {
  add: (signal) => [{ signals: [signal], isBatch: false, at: signal.timestamp }],
  due: () => [],
  finish: () => [],
};

/** `configBytes`: what each signal takes in the body besides itself. */
function batches(intervalMs: number, configBytes: number): Parcels {
  let signals: SignalRaised[] = [];
  let characters = 0;

  function close(): Parcel[] {
    const [first] = signals;
    if (first === undefined) return [];
    const parcel = { signals, isBatch: true, at: first.timestamp + intervalMs };
    signals = [];
    characters = 0;
    return [parcel];
  }

  function due(at: number): Parcel[] {
    const [first] = signals;
    return first !== undefined && at >= first.timestamp + intervalMs ? close() : [];
  }

  return {
    due,
    add(signal) {
      const takes = signal.state.length + configBytes;
      const isFull = signals.length >= MOST_SIGNALS || characters + takes > MOST_CHARACTERS;
      const complete = isFull ? close() : due(signal.timestamp);
      signals.push(signal);
      characters += takes;
      return complete;
    },
    finish: close,
  };
}
