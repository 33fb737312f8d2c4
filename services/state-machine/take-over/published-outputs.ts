// The outputs that the topics have at a takeover.
import type { Cause } from "../../../schemas/events.ts";
import type { PerOutput } from "../../../schemas/outputs.ts";

/** Newest outputs that the topics already have; an output that is not beyond them was written before a restart. */
export interface PublishedOutputs {
  /** Id of the camera-log that these, and all new outputs, belong to. */
  readonly logId: string;
  /** Name of the loss, when the partition's log has lost its end. */
  readonly lostEnd?: string | undefined;
  readonly newest: Readonly<Partial<PerOutput<Cause>>>;
}

export function isBeyond(cause: Cause, written: Cause | undefined): boolean {
  if (written === undefined) return true;
  return cause.offset > written.offset || (cause.offset === written.offset && cause.index > written.index);
}
