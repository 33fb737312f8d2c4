// Groups signals into deliveries: each signal alone, or those of an interval of event time.
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import { configBytes } from "../webhooks/deliveries/payload.ts";
import type { ReplaySpec } from "./session.ts";

export interface ReplayParcel {
  readonly signals: readonly SignalRaised[];
  readonly isBatch: boolean;
  /** Event time at which the parcel is due, ms. */
  readonly at: number;
}

export interface Parcels {
  /** @returns the parcels that are complete with this signal. */
  add(signal: SignalRaised): ReplayParcel[];
  /** @returns the parcels that are complete when event time has reached `at`, ms. */
  due(at: number): ReplayParcel[];
  /**
   * Called at the end.
   * @returns the remaining parcels.
   */
  finish(): ReplayParcel[];
}

/** The maximum number of signals, and characters, of one delivery. */
const MOST_SIGNALS = 1_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

export const createParcels = ({ subscription }: Pick<ReplaySpec, "subscription">): Parcels =>
  subscription.mode === "batch" ? batches(subscription.batchInterval * 1_000, configBytes(subscription)) : single;

const single: Parcels = {
  add: (signal) => [{ signals: [signal], isBatch: false, at: signal.timestamp }],
  due: () => [],
  finish: () => [],
};

/** `configBytes` is the size that each signal takes in the body besides its own. */
function batches(intervalMs: number, configBytes: number): Parcels {
  let signals: SignalRaised[] = [];
  let characters = 0;

  function close(): ReplayParcel[] {
    const [first] = signals;
    if (first === undefined) return [];
    const parcel = { signals, isBatch: true, at: first.timestamp + intervalMs };
    signals = [];
    characters = 0;
    return [parcel];
  }

  function due(at: number): ReplayParcel[] {
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
