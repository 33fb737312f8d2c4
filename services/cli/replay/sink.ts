import type { ReachedStep } from "../../recorded/steps.ts";

/** A place for the signals of a run: a file, a receiver or a comparison. */
export interface SignalSink {
  /** The next step is taken when this has resolved. A step may have no signals. */
  take(step: ReachedStep): Promise<void>;
  /** Called after the last step. */
  finish(): Promise<void>;
  /** Called when the run has failed, whether this sink has finished or not. */
  abandon(): Promise<void>;
}
