// The causes of a batch: the traces of its messages.
import { traceParentIn } from "../../../schemas/trace-parent.ts";
import { MOST_CAUSES, tracing } from "./tracing.ts";

/** Adds the trace of a message, when tracing is on and the message belongs to a recorded trace. */
export function addCause(causes: Set<string>, headers: Readonly<Record<string, unknown>> | undefined): void {
  if (tracing === undefined || causes.size >= MOST_CAUSES) return;
  const cause = traceParentIn(headers);
  if (cause !== undefined) causes.add(cause);
}
