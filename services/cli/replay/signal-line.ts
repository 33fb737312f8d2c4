// A signal as a line of the output.
import { isoTime } from "../../../schemas/identity.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";

/**
 * Returns one line of JSON, without the line feed. It has no id, offset or time of the run: the same log gives the same
 * lines. The id of the subscription is there when the recorded subscriptions are replayed.
 */
export function signalLine(raised: SignalRaised, subscriptionId?: string): string {
  const { signal, subjectId, timestamp, emitReason, expiredBy, state } = raised;
  const head = {
    ...(subscriptionId === undefined ? {} : { subscription_id: subscriptionId }),
    signal_type: isOfZone(raised) ? "zone_state" : "track_state",
    signal,
    subject_id: subjectId,
    data_source_id: sourceIdOf(raised),
    timestamp: isoTime(timestamp),
    emit_reason: emitReason,
    expired_by: expiredBy,
  };
  // The state is JSON, and its members have an order of their own.
  return `${JSON.stringify(head).slice(0, -1)},"state":${state}}`;
}

const isOfZone = ({ signal }: SignalRaised): boolean => signal.startsWith("zone_");

/** A signal of a zone has the data source in its state only. */
function sourceIdOf(raised: SignalRaised): string | null {
  if (raised.dataSourceId !== null || !isOfZone(raised)) return raised.dataSourceId;
  const { datasource_id: id } = JSON.parse(raised.state);
  return typeof id === "string" ? id : null;
}
