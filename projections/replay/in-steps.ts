// Divides the signals of a message into steps, one for each detection.
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import type { SeenDetection } from "./asked-part.ts";

/** A detection that is asked for with the signals that it raised, and those after it in its message. */
export interface ReplayStep {
  /** Event time of the detection, ms. Null when the message has no detection that is asked for. */
  readonly detectedAt: number | null;
  readonly signals: readonly SignalRaised[];
}

export interface PickedSignal {
  readonly signal: SignalRaised;
  /** For a zone it is the track whose detection or end changed the zone. */
  readonly trackId: string;
}

/** Assigns each signal to the detection that it reports, or to the one that the fold had reached by then. */
export function inSteps(picked: readonly PickedSignal[], seen: readonly SeenDetection[]): ReplayStep[] {
  if (picked.length === 0) return seen.map(({ timestamp }) => ({ detectedAt: timestamp, signals: NONE }));
  const steps = seen.map(({ timestamp }) => ({ detectedAt: timestamp, signals: [] as SignalRaised[] }));
  let at = 0;
  for (const { signal, trackId } of picked) {
    for (let i = at; i < seen.length; i++) {
      const each = seen[i];
      if (each?.trackId !== trackId || each.timestamp !== signal.timestamp) continue;
      at = i;
      break;
    }
    steps[at]?.signals.push(signal);
  }
  if (seen.length > 0) return steps;
  return [{ detectedAt: null, signals: picked.map(({ signal }) => signal) }];
}

const NONE: readonly SignalRaised[] = [];
